// What the server says, as docs/http-api.md and /api/openapi.json describe it. Seats count from 0.

/** A step of what a move does: kind, source, target, piece, owner. */
export type Effect = [string, string | null, string | null, string | null, number | null];

/** Every place of a game with the pieces on it, a letter each, bottom to top. */
export type Drawing = Record<string, string>;

export interface MoveView {
  move: string;
  effects: Effect[];
}

export interface SeatView {
  name?: string;
  level?: number;
  taken?: boolean;
  away?: boolean;
  program?: boolean;
  left?: number;
}

export type Pace =
  | { pace: "none" }
  | { pace: "live"; seconds: number; increment: number }
  | { pace: "days"; days: number };

export type Leaver = "wait" | "bot" | "forfeit";

export interface Result {
  shares: number[];
  reason: string;
}

export interface Table {
  number: number;
  game: string;
  options: Record<string, string | number>;
  pace: Pace;
  leaver: Leaver;
  listed: boolean;
  drawn: boolean;
  commitment: string;
  playable: boolean;
  seats: SeatView[];
  you?: number;
  to_move?: number;
  start?: string;
  moves?: string[];
  view?: string;
  drawing?: Drawing;
  last?: MoveView[];
  legal?: MoveView[];
  undo?: { seat: number; keep: number };
  result?: Result;
  secret?: string;
  rematch?: string;
}

export interface StepView {
  seat?: number; // none: a throw
  move: string;
  effects: Effect[];
}

export interface Line {
  number: number;
  at: number;
  seat: number;
  text?: string;
  phrase?: string;
}

export interface History {
  number: number;
  start: Drawing;
  steps: StepView[];
  said: Line[];
}

export interface TableEvent {
  kind: string;
  seat?: number;
  move?: string;
  throw?: string;
  text?: string;
  phrase?: string;
  order?: number[];
  start?: string;
  keep?: number;
}

/** The table after an event: what is not there it does not have, but for what is below. */
export interface Now extends Pick<Table, "to_move" | "view" | "legal" | "undo" | "result" | "secret" | "rematch"> {
  seats?: SeatView[]; // if they have changed
  clocks?: number[]; // ms left, by seat, where there is a clock and seats do not tell
  drawing?: Drawing; // with `last`, if effects do not lead to it
  last?: MoveView[];
}

/** An event, and what is new by it. Of several at once only the newest has `now`. */
export interface Told {
  number: number;
  at: number;
  event: TableEvent;
  effects?: Effect[];
  now?: Now;
}

export interface GameCard {
  name: string;
  titles: Record<string, string>;
  working_title: boolean;
  authors: string[];
  ages: string;
  minutes: string;
  players: number[];
  default_players: number;
  first: string;
  first_is_fixed: boolean;
  option: {
    name: string;
    values: string[];
    players: number[];
    limits: Record<string, number[]>;
  };
  levels: { level: number; names: Record<string, string> }[];
}

/** Who can play a game now, and about how many seconds it takes until more can. */
export interface GameReadiness {
  game: string;
  ready: "no" | "people" | "bots";
  seconds: number;
}

/** What not every server can do, and what it can do already. */
export interface ServerInfo {
  mail: boolean;
  games: GameReadiness[];
}

export interface Seated {
  token: string;
  seat: number;
  table: Table;
}

export interface TableOfMine {
  id: string;
  game: string;
  number: number;
  you: number;
  to_move: number | null;
  your_turn: boolean;
  begun: boolean;
  over: boolean;
  seats: SeatView[];
  rematch: string;
}

export interface TableListed {
  id: string;
  opened: number;
  game: string;
  options: Record<string, string | number>;
  pace: Pace;
  leaver: Leaver;
  drawn: boolean;
  seats: SeatView[];
}
