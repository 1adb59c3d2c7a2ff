// What every board is given: a scene to show, an offer of moves, and an overlay to draw on top.
// A board knows where places lie and what pieces look like. It knows no rule, and nothing of tables,
// streams or tokens: so the same board is a table, a box on the shelf, a diagram or a puzzle.
//
// A board fills the box it is given, whatever its shape, and never asks for more: everything it shows,
// and every button of the moment, is inside. The box is a size container named `board`: boards arrange themselves by
// container queries. Words of the moment are not on the board: they are said at the line beside it.

import type { Showing } from "$core/device/device.svelte.ts";
import type { Drawing, Effect, Facts, Choice, Options, ResultView, StepView } from "$core/http/types.ts";

/** What there is to see at one moment. */
export interface Scene {
  game: string;
  options: Options;
  names: readonly string[]; // of the players, by seat
  bottom: number; // the seat whose side is at the bottom of the picture
  you: number | null; // the seat through whose eyes it is seen; none: anybody's
  moment: string; // changes with the position that is shown: boards reset their selection
  drawing: Drawing; // before a move, after it, or in the middle of one
  facts: Facts; // what the game's rules say of this moment, besides pieces
  toMove: number | null; // whose turn it is at this moment
  steps: readonly StepView[]; // the moves and throws that led here, the last one last
  marks: ReadonlySet<string>; // places that are to be found again: what the last move touched
  effect: Effect | null; // the step of a move that is being shown
  result: ResultView | null; // once it is to be seen
  mode: Mode;
}

/**
 * What a board is for:
 * - "play": a table; what only `you` may see is covered, as others may look at the screen;
 * - "study": one person tries moves; what only `you` may see lies open;
 * - "diagram": nobody plays; without what serves only to choose moves;
 * - "box": a picture of the board alone, without what lies beside it.
 */
export type Mode = "play" | "study" | "diagram" | "box";

/** A scene of a position. Without more it is seen by a spectator, and nothing led to it. */
export function sceneOf(
  parts: Pick<Scene, "mode" | "game" | "options" | "names" | "drawing"> & Partial<Scene>,
): Scene {
  return {
    bottom: 0,
    you: null,
    moment: "",
    facts: {},
    toMove: null,
    steps: [],
    marks: new Set(),
    effect: null,
    result: null,
    ...parts,
  };
}

/** What may be played. */
export interface Offer {
  state: "open" | "sending" | "closed"; // whether a move can be played now, is on its way, or neither
  moves: readonly Choice[]; // none unless it is open
  confirmEveryMove: boolean; // also one that is chosen by a single click
  play: (move: string) => void;
  explain: (move: string) => void; // says why this move cannot be played
  bustChance: ((move: string) => Promise<number | null>) | null; // of the throw after a move; null: not shown
  edit?: (thing: string) => void; // somebody sets up the pieces: taps choose no moves
}

/** What is drawn on top: in lessons, hints and reviews. */
export interface Overlay {
  highlights: ReadonlySet<string>; // places
  arrows: readonly { from: string; to: string }[];
  hint: string | null; // a move that is shown as if it were chosen
  touchable: ReadonlySet<string> | null; // places that may be touched; null: all
}

export interface BoardProps {
  scene: Scene;
  offer: Offer;
  overlay: Overlay;
}

export interface BoardExports {
  /** What to choose next, or what the choice would do, in words; "": nothing. The page shows it beside the board. */
  prompt?: () => string;
}

/** How the moves of a game are shown: how fast, which kinds of effects for longer, and which not one by one. */
export interface Pacing {
  pace?: Showing; // normal unless said
  gestures?: readonly string[]; // several in a row are one gesture, as a column is taken up in one go
  silent?: readonly string[]; // shown together with what comes next
  lasting?: readonly string[]; // shown for longer: there is something to be taken in
  reveal?: number; // ms for what the board shows at the end, before anybody is said to have won
}

export const NO_OFFER: Offer = {
  state: "closed",
  moves: [],
  confirmEveryMove: false,
  play: () => {},
  explain: () => {},
  bustChance: null,
};

export const NO_OVERLAY: Overlay = { highlights: new Set(), arrows: [], hint: null, touchable: null };
