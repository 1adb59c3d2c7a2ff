// How a table is played, in words.

import { t } from "../lib/words.svelte.ts";
import type { Pace } from "../lib/types.ts";

export function paceWords(pace: Pace): string {
  if (pace.pace === "live") return t("pace.live", { minutes: Math.round(pace.seconds / 60), increment: pace.increment });
  if (pace.pace === "days") return t("pace.days", { n: pace.days });
  return t("pace.none");
}
