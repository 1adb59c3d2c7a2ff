// Words in the reader's language, from one catalogue each.

import { device } from "./device.svelte.ts";
import en from "../catalogue/en.json";

export type Key = keyof typeof en;
export type Language = "en" | "fr";
type Parameters = Record<string, string | number>;

const catalogues: Record<Language, () => Promise<Record<string, string>>> = {
  en: async () => en,
  fr: async () => (await import("../catalogue/fr.json")).default,
};

function wanted(): Language {
  if (device.settings.language) return device.settings.language;
  const first = navigator.languages.find((tag) => /^(en|fr)\b/i.test(tag)) ?? "en";
  return first.toLowerCase().startsWith("fr") ? "fr" : "en";
}

class Words {
  language = $state<Language>("en");
  private catalogue = $state.raw<Record<string, string>>(en);

  async load(): Promise<void> {
    const language = wanted();
    this.catalogue = await catalogues[language]();
    this.language = language;
    document.documentElement.lang = language;
  }

  has(key: string): boolean {
    return key in this.catalogue;
  }

  say(key: string, parameters: Parameters): string {
    let text = this.catalogue[key];
    if (text === undefined && typeof parameters.n === "number") {
      text = this.catalogue[`${key}.${new Intl.PluralRules(this.language).select(parameters.n)}`] ?? this.catalogue[`${key}.other`];
    }
    return (text ?? key).replace(/\{(\w+)\}/g, (whole, name: string) => {
      const value = parameters[name];
      return value === undefined ? whole : typeof value === "number" ? this.number(value) : value;
    });
  }

  number(value: number): string {
    return new Intl.NumberFormat(this.language).format(value);
  }

  percent(value: number): string {
    return new Intl.NumberFormat(this.language, { style: "percent" }).format(value);
  }

  list(items: string[]): string {
    return new Intl.ListFormat(this.language, { type: "conjunction" }).format(items);
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
