// Words in the reader's language: one catalogue that is always there, one for each game, loaded with its board, and
// parts for pages that not everybody opens, loaded with them.

import { device } from "$core/device/device.svelte.ts";
import { importWithRetry } from "$core/http/import-with-retry.ts";
import en from "./catalogue/en.json";

export type Key = keyof typeof en;
export type Language = "en" | "fr";
type Parameters = Record<string, string | number>;
type Catalogue = Record<string, string>;

const catalogues: Record<Language, () => Promise<Catalogue>> = {
  en: async () => en,
  fr: async () => (await import("./catalogue/fr.json")).default,
};

const OF_GAMES = import.meta.glob<Catalogue>("../../games/*/words/*.json", { import: "default" });
const PARTS = import.meta.glob<Catalogue>("./catalogue/parts/*/*.json", { import: "default" });

/** The words of a game or a part; none if it has none. */
async function catalogueOf(name: string, language: Language): Promise<Catalogue> {
  const load =
    OF_GAMES[`../../games/${name}/words/${language}.json`] ??
    PARTS[`./catalogue/parts/${name}/${language}.json`];
  return (await load?.()) ?? {};
}

function wanted(): Language {
  if (device.settings.language) return device.settings.language;
  const first = navigator.languages.find((tag) => /^(en|fr)\b/i.test(tag)) ?? "en";
  return first.toLowerCase().startsWith("fr") ? "fr" : "en";
}

class Words {
  language = $state<Language>("en");
  private catalogue = $state.raw<Catalogue>(en);
  private parts = $state.raw<ReadonlySet<string>>(new Set()); // games and parts whose words are there
  private readonly needed = new Set<string>();

  /** Made once a language: making them takes longer than using them. */
  private readonly forms = $derived.by(() => ({
    number: new Intl.NumberFormat(this.language),
    percent: new Intl.NumberFormat(this.language, { style: "percent" }),
    list: new Intl.ListFormat(this.language, { type: "conjunction" }),
    plural: new Intl.PluralRules(this.language),
  }));

  /** Speak the wanted language as soon as its words are there; until then the one that is spoken. */
  async load(): Promise<void> {
    const language = wanted();
    const names = [...this.needed];
    const loaded = await Promise.all([
      importWithRetry(catalogues[language]),
      ...names.map((name) => importWithRetry(() => catalogueOf(name, language))),
    ]);
    if (language !== wanted()) return; // another is wanted by now
    if (names.length < this.needed.size) return this.load(); // more was opened meanwhile
    this.catalogue = Object.assign({}, ...loaded);
    this.parts = new Set(names);
    this.language = language;
    document.documentElement.lang = language;
  }

  /** Also speak of a game, or of what a part is about. */
  async need(name: string): Promise<void> {
    this.needed.add(name);
    if (this.parts.has(name)) return;
    const { language } = this;
    const more = await importWithRetry(() => catalogueOf(name, language));
    if (language !== this.language) return; // whoever changed it has loaded these too
    this.catalogue = { ...this.catalogue, ...more };
    this.parts = new Set([...this.parts, name]);
  }

  /** Whether the words of a game or a part are there. */
  knows(name: string): boolean {
    return this.parts.has(name);
  }

  has(key: string): boolean {
    return key in this.catalogue;
  }

  say(key: string, parameters: Parameters): string {
    let text = this.catalogue[key];
    if (text === undefined && typeof parameters.n === "number") {
      text =
        this.catalogue[`${key}.${this.forms.plural.select(parameters.n)}`] ?? this.catalogue[`${key}.other`];
    }
    return (text ?? key).replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = parameters[name];
      return value === undefined ? whole : typeof value === "number" ? this.number(value) : value;
    });
  }

  number(value: number): string {
    return this.forms.number.format(value);
  }

  percent(value: number): string {
    return this.forms.percent.format(value);
  }

  list(items: string[]): string {
    return this.forms.list.format(items);
  }

  date(at: number): string {
    return new Intl.DateTimeFormat(this.language, { dateStyle: "medium", timeStyle: "short" }).format(at);
  }
}

export const words = new Words();

/** A text by its key. With `n` in the parameters, the plural of the language decides between `key.one` and `key.other`. */
export function t(key: Key | (string & {}), parameters: Parameters = {}): string {
  return words.say(key, parameters);
}
