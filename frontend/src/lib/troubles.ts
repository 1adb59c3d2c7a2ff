// What went wrong, in the reader's words.

import { Trouble } from "./api.ts";
import type { Why } from "./types.ts";
import { t, words } from "./words.svelte.ts";

/** Why the rules of a game forbid a move. */
export function refusalWords(game: string, { rule, parameters }: Why): string {
  return t(`${game}.refusal.${rule}`, parameters);
}

export function wordsFor(error: unknown, game = ""): string {
  if (!(error instanceof Trouble)) throw error;
  const { rule, parameters = {} } = error.detail;
  if (rule !== undefined && words.has(`${game}.refusal.${rule}`))
    return refusalWords(game, { rule, parameters });
  return words.has(`trouble.${error.code}`) ? t(`trouble.${error.code}`) : error.message;
}
