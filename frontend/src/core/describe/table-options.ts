// How a table is played, in words.

import { t } from "$core/i18n/words.svelte.ts";
import type { Pace, TableView } from "$core/http/types.ts";

export function paceWords(pace: Pace): string {
  if (pace.pace === "live")
    return t("pace.live", { minutes: Math.round(pace.seconds / 60), increment: pace.increment });
  if (pace.pace === "days") return t("pace.days", { n: pace.days });
  return t("pace.none");
}

/** What becomes of the game when somebody resigns. */
export function resigningMeans({ seats, resign }: TableView, leaving: readonly number[]): string {
  const others = seats.some((seat, at) => seat.taken && !seat.resigned && !leaving.includes(at));
  if (leaving.length > 1 && !others) return t("resign.means.all");
  if (seats.length === 2) return t("resign.means.two");
  return t(resign === "bot" && others ? "resign.means.bot" : "resign.means.end");
}

/** What becomes of the seats whose players leave: all who share a device. */
export function leavingMeans(table: TableView, leaving: readonly number[]): string {
  const means =
    table.leaver === "forfeit" ? resigningMeans(table, leaving) : t(`leave.means.${table.leaver}`);
  return leaving.length > 1 ? `${t("leave.means.all")} ${means}` : means;
}
