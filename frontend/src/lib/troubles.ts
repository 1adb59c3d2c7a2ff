// What went wrong, in the reader's words.

import { Trouble } from "./api.ts";
import { t, words } from "./words.svelte.ts";

export function wordsFor(error: unknown, game = ""): string {
  if (!(error instanceof Trouble)) throw error;
  const { rule, parameters = {} } = error.detail;
  if (rule !== undefined && words.has(`${game}.refusal.${rule}`)) return t(`${game}.refusal.${rule}`, parameters);
  return words.has(`trouble.${error.code}`) ? t(`trouble.${error.code}`) : error.message;
}
