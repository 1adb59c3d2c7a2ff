// Words in the reader's language: one catalogue for all pages, and one for each game, loaded with its board.

import { device } from "./device.svelte.ts";
import { patiently } from "./patiently.ts";
import en from "../catalogue/en.json";

export type Key = keyof typeof en;
export type Language = "en" | "fr";
type Parameters = Record<string, string | number>;
type Catalogue = Record<string, string>;

const catalogues: Record<Language, () => Promise<Catalogue>> = {
  en: async () => en,
  fr: async () => (await import("../catalogue/fr.json")).default,
};

const OF_GAMES = import.meta.glob<Catalogue>("../boards/*/words/*.json", { import: "default" });

/** The words of a game; none if it has none. */
async function catalogueOf(game: string, language: Language): Promise<Catalogue> {
  return (await OF_GAMES[`../boards/${game}/words/${language}.json`]?.()) ?? {};
}

function wanted(): Language {
  if (device.settings.language) return device.settings.language;
  const first = navigator.languages.find((tag) => /^(en|fr)\b/i.test(tag)) ?? "en";
  return first.toLowerCase().startsWith("fr") ? "fr" : "en";
}

class Words {
  language = $state<Language>("en");
  private catalogue = $state.raw<Catalogue>(en);
  private games = $state.raw<ReadonlySet<string>>(new Set()); // whose words are there
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
    const games = [...this.needed];
    const parts = await Promise.all([
      patiently(catalogues[language]),
      ...games.map((game) => patiently(() => catalogueOf(game, language))),
    ]);
    if (language !== wanted()) return; // another is wanted by now
    if (games.length < this.needed.size) return this.load(); // a game was opened meanwhile
    this.catalogue = Object.assign({}, ...parts);
    this.games = new Set(games);
    this.language = language;
    document.documentElement.lang = language;
  }

  /** Also speak of a game. */
  async need(game: string): Promise<void> {
    this.needed.add(game);
    if (this.games.has(game)) return;
    const { language } = this;
    const more = await patiently(() => catalogueOf(game, language));
    if (language !== this.language) return; // whoever changed it has loaded these too
    this.catalogue = { ...this.catalogue, ...more };
    this.games = new Set([...this.games, game]);
  }

  /** Whether the words of a game are there. */
  knows(game: string): boolean {
    return this.games.has(game);
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
