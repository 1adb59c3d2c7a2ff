// What is new at a table since somebody last heard of it, and how it is said to those who listen.

import type { Notice, StepView, TableView } from "$core/http/types.ts";
import { t } from "$core/i18n/words.svelte.ts";
import { tellNotice, tellResult, tellStep } from "$core/describe/table.ts";

/** What is shown of a table at one moment. */
export interface Shown {
  steps: readonly StepView[]; // all that are known
  at: number; // how many of them are shown
  notices: readonly Notice[];
  over: boolean;
  turn: boolean; // somebody here may move
}

export interface News {
  steps: readonly StepView[];
  notices: readonly Notice[];
  over: boolean; // the game has just ended
  turn: boolean; // somebody here may move, and could not before
}

/** What has come since. What was taken back is not new; a notice says who took it back. */
export function newsSince(before: Shown, now: Shown): News {
  const known = new Set(before.notices.map(({ number }) => number));
  return {
    steps: now.steps.slice(before.at, now.at),
    notices: now.notices.filter(({ number }) => !known.has(number)),
    over: now.over && !before.over,
    turn: now.turn && !before.turn,
  };
}

/** What is said of it, in order; to somebody who plays these seats. */
export function spoken(table: TableView, news: News, local: readonly number[]): string[] {
  const said = news.steps.map((step) => tellStep(table, step));
  for (const notice of news.notices) {
    const asked = notice.kind === "undo-asked" && local.length > 0; // the question is heard by itself
    const hinted = notice.kind === "hinted" && local.includes(notice.seat ?? -1); // and so is the hint
    if (!asked && !hinted) said.push(tellNotice(table, notice));
  }
  if (news.over) {
    const { title, who, why } = tellResult(table, local);
    said.push(...new Set([title, who, why])); // the first two may be the same
  }
  if (news.turn) said.push(t("status.your-turn"));
  return said.map(sentence);
}

/** As a sentence of its own, so that a voice pauses after it. */
function sentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}
