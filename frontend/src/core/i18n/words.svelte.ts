// Words in the reader's language: a catalogue for all pages, one for each game, loaded with its board, and parts for
// single pages, loaded with them.

import { device } from "$core/device/device.svelte.ts";
import { retry } from "$core/http/import-with-retry.ts";
import { format, type Message, type Values } from "./format.ts";
import type { Messages } from "./messages.ts";
import type { Remind } from "$core/http/types.ts";

export type Key = keyof Messages;
export type Language = string; // its tag, as "en"
type Catalogue = Readonly<Record<string, Message>>;

const COMMON = import.meta.glob<Catalogue>("./catalogue/*.json", { import: "default" });
const PARTS = import.meta.glob<Catalogue>("./catalogue/parts/*/*.json", { import: "default" });
const OF_GAMES = import.meta.glob<Catalogue>("../../games/*/words/*.json", { import: "default" });

/** What the server has longer texts in, as rulebooks and titles: it writes no others. */
export type TextLanguage = NonNullable<Remind["language"]>;
const isOfTexts = (language: Language): language is TextLanguage => language === "en" || language === "fr";

const tagOf = (file: string) => file.split("/").pop()!.replace(".json", "");

/** Every language that has a catalogue. */
export const LANGUAGES: readonly Language[] = Object.keys(COMMON).map(tagOf).sort();

/** A language’s name for itself, as `Français`. */
export function nameOf(language: Language): string {
  const name = new Intl.DisplayNames(language, { type: "language" }).of(language) ?? language;
  return name.charAt(0).toLocaleUpperCase(language) + name.slice(1);
}

const commonCatalogue = (language: Language): Promise<Catalogue> => COMMON[`./catalogue/${language}.json`]!();

/** The words of a game or a part, in English if there are no others; none if it has none. */
async function catalogueOf(name: string, language: Language): Promise<Catalogue> {
  const ofGame = (tag: Language) => OF_GAMES[`../../games/${name}/words/${tag}.json`];
  const ofPart = (tag: Language) => PARTS[`./catalogue/parts/${name}/${tag}.json`];
  const load = ofGame(language) ?? ofPart(language) ?? ofGame("en") ?? ofPart("en");
  return (await load?.()) ?? {};
}

/** The language of the settings, else the first of the browser's that has a catalogue, else English. */
function wanted(): Language {
  const tags = [device.settings.language, ...navigator.languages].map((tag) => tag.toLowerCase());
  const fits = (tag: string) =>
    LANGUAGES.find((language) => language.toLowerCase() === tag) ??
    LANGUAGES.find((language) => language === tag.split("-")[0]);
  return tags.map(fits).find((language) => language !== undefined) ?? "en";
}

class Words {
  language = $state<Language>("en");
  readonly textLanguage = $derived(isOfTexts(this.language) ? this.language : "en");
  private catalogue = $state.raw<Catalogue | null>(null); // null until the first is there
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
      retry(() => commonCatalogue(language)),
      ...names.map((name) => retry(() => catalogueOf(name, language))),
    ]);
    if (language !== wanted()) return; // another is wanted by now
    if (names.length < this.needed.size) return this.load(); // more was opened meanwhile
    this.catalogue = Object.assign({}, ...loaded);
    this.parts = new Set(names);
    this.language = language;
    document.documentElement.lang = language;
  }

  /** Speak English until the words of the wanted language are there. */
  async loadEnglish(): Promise<void> {
    const english = await retry(() => commonCatalogue("en"));
    this.catalogue ??= english;
  }

  /** Also speak of a game, or of what a part is about. */
  async need(name: string): Promise<void> {
    this.needed.add(name);
    if (this.parts.has(name)) return;
    const { language } = this;
    const more = await retry(() => catalogueOf(name, language));
    if (language !== this.language) return; // the change has loaded these too
    this.catalogue = { ...this.catalogue, ...more };
    this.parts = new Set([...this.parts, name]);
  }

  /** Whether the words of a game or a part are there. */
  knows(name: string): boolean {
    return this.parts.has(name);
  }

  has(key: string): boolean {
    return this.catalogue !== null && key in this.catalogue;
  }

  format(key: string, values: Values): string {
    return format(this.catalogue?.[key] ?? key, values, this.forms);
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

type IntersectionOf<Union> = (Union extends unknown ? (each: Union) => void : never) extends (
  all: infer All,
) => void
  ? All
  : never;
type ParametersOf<K extends Key> = [NonNullable<Messages[K]>] extends [never]
  ? []
  : object extends IntersectionOf<NonNullable<Messages[K]>>
    ? [values?: IntersectionOf<NonNullable<Messages[K]>>]
    : [values: IntersectionOf<NonNullable<Messages[K]>>];

/** A text by its key, with its parameters. */
export function t<K extends Key>(key: K, ...[values]: ParametersOf<K>): string {
  return words.format(key, (values ?? {}) as Values);
}

/** A text whose key is made from what the server sent, as the rule of a game; undefined if there is none. */
export function lookUp(key: string, values: Values = {}): string | undefined {
  return words.has(key) ? words.format(key, values) : undefined;
}
