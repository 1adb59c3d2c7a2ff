// What moves do to a drawing, without any rule, as `benben.core.effects` describes it.

import type { Drawing, Effect } from "$core/http/types.ts";

/** The drawing after one effect; the given one stays as it is. */
export function applyEffect(drawing: Drawing, effect: Effect): Drawing {
  const [, source, target, piece] = effect;
  if (piece === null) return drawing;
  const after = { ...drawing };
  if (source !== null && source === target) {
    after[source] = (after[source] ?? "").slice(0, -1) + piece;
    return after;
  }
  if (source !== null) {
    const pieces = after[source] ?? "";
    const at = pieces.lastIndexOf(piece);
    after[source] = pieces.slice(0, at) + pieces.slice(at + 1);
  }
  if (target !== null) after[target] = (after[target] ?? "") + piece;
  return after;
}

/** Whether a drawing has what an effect moves, and where it goes. */
function canApply(drawing: Drawing, [, source, target, piece]: Effect): boolean {
  if (piece === null) return true;
  if (source !== null && source === target) return Boolean(drawing[source]);
  if (source !== null && !drawing[source]?.includes(piece)) return false;
  return target === null || drawing[target] !== undefined;
}

export function applyAll(drawing: Drawing, effects: Effect[]): Drawing {
  return effects.reduce(applyEffect, drawing);
}

export function canApplyAll(drawing: Drawing, effects: Effect[]): boolean {
  let current = drawing;
  for (const effect of effects) {
    if (!canApply(current, effect)) return false;
    current = applyEffect(current, effect);
  }
  return true;
}

/** The places that a move has changed, to be marked. */
export function touchedPlaces(effects: Effect[]): Set<string> {
  return new Set(effects.flatMap(([, source, target]) => [source, target].filter((p) => p !== null)));
}
