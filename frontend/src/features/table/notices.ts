// What happens at a table besides moves.

import type { Notice, StepView } from "$core/http/types.ts";

/** A player who left also returns by moving: then only the move shows it. */
export function withReturns(notices: readonly Notice[], steps: readonly StepView[]): readonly Notice[] {
  const returns = notices.flatMap((left, at): Notice[] => {
    if (left.kind !== "left") return [];
    const later = notices.slice(at + 1).filter(({ seat }) => seat === left.seat);
    const next = later.find(({ kind }) => ["left", "taken-over", "reclaimed"].includes(kind));
    const by = steps.findIndex((step, index) => index >= left.after && step.seat === left.seat);
    if (by < 0 || (next && next.kind !== "left" && next.after <= by)) return [];
    return [{ ...left, number: left.number + 0.5, after: by, kind: "reclaimed" }];
  });
  return returns.length ? [...notices, ...returns].sort((a, b) => a.number - b.number) : notices;
}

/** Stronger and stronger hints of one moment are one that was taken. */
export function onceHinted(notices: readonly Notice[]): readonly Notice[] {
  const hinted = ({ kind, seat, after }: Notice) => kind === "hinted" && `${seat} ${after}`;
  return notices.filter((notice, at) => {
    const before = notices[at - 1];
    return !hinted(notice) || !before || hinted(before) !== hinted(notice);
  });
}
