// The boards: a folder for each game, whose Board.svelte is loaded when the game is first shown.

import type { Component } from "svelte";
import { device } from "$core/device/device.svelte.ts";
import type { BoardExports, BoardProps, Pacing } from "./contract.ts";

type Board = Component<BoardProps, BoardExports>;

const FOUND = import.meta.glob<{ default: Board }>("../games/*/Board.svelte");

/** How the board of a game is loaded; null if there is none, and its moves have to be shown as text. */
export function boardOf(game: string): (() => Promise<{ default: Board }>) | null {
  return FOUND[`../games/${game}/Board.svelte`] ?? null;
}

const PACINGS = import.meta.glob<Pacing>("../games/*/pacing.json", { eager: true, import: "default" });

/** How the moves of a game are shown; at the pace of the settings. */
export function pacingOf(game: string): Pacing {
  const usual = PACINGS[`../games/${game}/pacing.json`] ?? {};
  return { ...usual, pace: device.settings.pace || usual.pace };
}
