// What went wrong, in the reader's words.

import { ApiError } from "$core/http/api.ts";
import { reportError } from "$core/http/client-errors.ts";
import { shelf } from "$core/tables/game-cards.svelte.ts";
import { namedPlaces } from "./moves.ts";
import type { Why } from "$core/http/types.ts";
import { lookUp, t } from "$core/i18n/words.svelte.ts";

/** Why the rules of a game forbid a move. */
export function refusalWords(game: string, { rule, parameters }: Why): string {
  return lookUp(`${game}.refusal.${rule}`, namedPlaces(game, parameters)) ?? t("trouble.illegal-move");
}

/** The rulebook at the paragraph that explains a refusal, with a way back to a table; empty if none does. */
export function ruleAddress(game: string, rule: string, table = ""): string {
  const paragraph = shelf.card(game)?.paragraphs[rule];
  if (!paragraph) return "";
  return `/rules/${game}${table && `?from=${encodeURIComponent(table)}`}#${paragraph}`;
}

/** The rule that was broken, if it was one. */
export function ruleOf(error: unknown): string {
  return (error instanceof ApiError && error.detail.rule) || "";
}

/** What an error means to people. An error that is not the server's is one of our code: it is reported. */
export function errorMessage(error: unknown, game = ""): string {
  if (!(error instanceof ApiError)) {
    console.error(error);
    reportError(error);
    return t("trouble.unexpected");
  }
  const { rule, parameters = {} } = error.detail;
  const refusal = rule && lookUp(`${game}.refusal.${rule}`, namedPlaces(game, parameters));
  return refusal || (lookUp(`trouble.${error.code}`) ?? error.message);
}
