// Why a record is refused, in words: those of the part `luck` of the catalogue.

import { t, type Key } from "$core/i18n/words.svelte.ts";
import { Unreadable, type TableRecord } from "./record.ts";

/** What is wrong: of an event, or of all of it. */
export interface Wrong {
  number: number | null;
  what: What;
}

type Under<Prefix extends string, K = Key> = K extends `${Prefix}.${infer Rest}` ? Rest : never;
type What = Exclude<Under<"luck.no">, "at">;

const KINDS = ["began", "threw", "moved", "ended", "unrevealed"] as const;
const NONCES = ["sat", "bot-seated", "stood", "committed", "revealed"];

/** What the server found wrong; no number: the record cannot be played again at all. */
export function wrongAt({ entries }: TableRecord, number: number | null): Wrong {
  if (number === null) return { number, what: "unplayable" };
  const kind = entries[number - 1]?.event.kind ?? "";
  if (NONCES.includes(kind)) return { number, what: "nonce" };
  return { number, what: KINDS.find((each) => each === kind) ?? "other" };
}

export const tellEvent = ({ number }: Wrong) => (number === null ? "" : t("luck.no.at", { number }));
export const tellWhat = ({ what }: Wrong) => t(`luck.no.${what}`);
export const tellObstacle = ({ why }: Unreadable) => t(`luck.obstacle.${why}`);
