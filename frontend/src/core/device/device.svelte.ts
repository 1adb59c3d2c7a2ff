// What this device remembers: a nickname, seats by their tokens, and how one likes to play.
//
// A token is nowhere else: without it a seat cannot be played any more. So a seat is forgotten only when
// somebody says so, or, where storage is full, when its game is over.

import { PREFIX, read, write } from "./storage.ts";

export interface SeatHeld {
  table: string;
  token: string;
  game: string;
  at: number; // when it was taken
  over?: boolean; // the game is known to be over
  declined?: boolean; // its owner does not play again
  gone?: boolean; // the server has said that this token holds no seat
  seat?: number; // as it was chosen: where it is before the game
  since?: number; // the number of the table's last event when this device had just got the seat
  lost?: boolean; // it was freed before the game, and its player is still to be told on the shelf
  noted?: boolean; // its finished game has been noted
  promise?: string; // the server's, of its secret: known before we sat down
  nonces?: HeldNonce[]; // our own part in the table's luck; a new start needs a new one
  nonce?: string; // the same, sent in clear: of seats taken with earlier versions
  next?: Luck; // the same of the table where it goes on
}

/** A nonce of a seat. `against` has the commitments of all seats that this device saw before it first revealed it. */
export interface HeldNonce {
  nonce: string;
  unanswered?: boolean; // the server has not yet accepted the commitment to it
  against?: string[];
}

/** What a device can later compare with the record of a game. */
export interface Luck {
  promise?: string;
  nonce?: string;
}

/** Where somebody sits before the game, since which event of the table. */
export interface Chosen {
  seat: number;
  since: number;
}

/** All nonces of a seat, the newest last. */
export function noncesOf({ nonce, nonces = [] }: SeatHeld): HeldNonce[] {
  return nonce ? [{ nonce }, ...nonces] : nonces;
}

/** Bots one plays against: their level, and how many play with oneself. */
export interface Opponents {
  level: number;
  players: number;
}

/** How far somebody has come in a lesson. */
export interface LessonPlace {
  chapter: number; // from 0
  step: number; // the next one to do
  moves: readonly string[]; // played in the chapter, replies included
  over?: boolean; // all of it has been done
}

/** How it went with a puzzle: solved at the first try, solved later, given up, or not solved yet. */
export type PuzzleFate = "first" | "later" | "shown" | "tried";

/** How fast moves are shown. */
export type Showing = "slow" | "normal" | "fast";

export interface Settings {
  name: string;
  language: string; // its tag, as "en"; "": as the browser says
  theme: "" | "light" | "dark"; // "": as the system says
  sounds: boolean;
  vibration: boolean; // on phones: nothing else can be felt
  confirm: boolean; // ask before a move is sent
  risk: boolean; // show how risky another roll is
  notify: boolean;
  textBoard: boolean;
  shortcuts: boolean; // keys of one character do something wherever the focus is
  pace: "" | Showing; // "": as usual for the game
  opponents: Record<string, Opponents>; // by game, the last ones chosen
  met: string[]; // the games whose aim has been told
  lessons: Record<string, LessonPlace>; // by game, those begun
  puzzles: Record<string, PuzzleFate>; // by GAME/ID, those tried
  days: Record<string, PuzzleFate>; // by date (UTC), the puzzles of the day, as it went on their day
}

const DEFAULTS: Settings = {
  name: "",
  language: "",
  theme: "",
  sounds: false,
  vibration: true,
  confirm: false,
  risk: false,
  notify: false,
  textBoard: false,
  shortcuts: true,
  pace: "",
  opponents: {},
  met: [],
  lessons: {},
  puzzles: {},
  days: {},
};

const MOST_MUTED = 200;
const MOST_NONCES = 20; // of one seat: every new start needs one, and the earlier ones are void

function readSeats(): SeatHeld[] {
  const seats = read<unknown>("seats", []);
  return Array.isArray(seats) ? seats.filter((seat) => typeof seat?.token === "string") : [];
}

class Device {
  settings = $state<Settings>({ ...DEFAULTS, ...read<Partial<Settings>>("settings", {}) });
  seats = $state.raw<SeatHeld[]>(readSeats()); // the last taken last
  muted = $state.raw<string[]>(read("muted", [])); // "table:seat"
  private kept = true; // seats are stored as they are here

  constructor() {
    addEventListener("storage", ({ key }) => {
      // Another tab has changed something; without a key, everything.
      if (key === null || key === `${PREFIX}seats`) this.seats = this.known();
      if (key === null || key === `${PREFIX}muted`) this.muted = read("muted", []);
      if (key === null || key === `${PREFIX}settings`)
        this.settings = { ...DEFAULTS, ...read("settings", {}) };
    });
  }

  save(): void {
    write("settings", this.settings);
    write("muted", this.muted.slice(-MOST_MUTED));
  }

  /** Tokens of seats at a table, but for those that are gone. */
  tokensAt(table: string): string[] {
    return this.seats.filter((seat) => seat.table === table && !seat.gone).map((seat) => seat.token);
  }

  hold(table: string, token: string, game: string, luck: Luck = {}, chosen?: Chosen): void {
    const before = this.known().find((seat) => seat.token === token);
    const others = this.known().filter((seat) => seat.token !== token);
    const { promise = before?.promise } = luck;
    const nonces = before ? noncesOf(before) : [];
    const known = nonces.some(({ nonce }) => nonce === luck.nonce);
    const all = luck.nonce && !known ? [...nonces, { nonce: luck.nonce }] : nonces;
    const seat: SeatHeld = {
      ...before,
      table,
      token,
      game: game || (before?.game ?? ""),
      at: Date.now(),
      promise,
      nonces: all,
      ...chosen,
    };
    delete seat.nonce; // it is among `nonces`
    delete seat.gone;
    this.keep([...others, seat]);
  }

  /** Add or update a seat's nonce. The commitments that were seen first stay; the answer has those. */
  noteNonce(token: string, noted: HeldNonce): HeldNonce {
    let kept = noted;
    this.change((seat) => {
      if (seat.token !== token) return seat;
      const before = noncesOf(seat).find(({ nonce }) => nonce === noted.nonce);
      kept = before?.against ? { ...noted, against: before.against } : noted;
      const others = noncesOf(seat).filter((each) => each !== before);
      return { ...seat, nonce: undefined, nonces: [...others, kept].slice(-MOST_NONCES) };
    });
    return kept;
  }

  /** Drop a nonce whose commitment the server has refused. */
  dropNonce(token: string, refused: string): void {
    this.change((seat) => {
      if (seat.token !== token) return seat;
      return { ...seat, nonces: noncesOf(seat).filter(({ nonce }) => nonce !== refused), nonce: undefined };
    });
  }

  /** Where a token holds a seat before the game, since this event of the table at the latest. */
  noteSeat(token: string, { seat, since }: Chosen): void {
    this.change((held) => (held.token !== token || held.seat === seat ? held : { ...held, seat, since }));
  }

  /** A seat was freed before the game. */
  noteLost(token: string): void {
    this.change((seat) => (seat.token === token ? { ...seat, gone: true, lost: true } : seat));
  }

  /** Its player has been told. */
  dismissLost(table: string): void {
    this.change((seat) => (seat.table === table && seat.lost ? { ...seat, lost: undefined } : seat));
  }

  /** With what this seat's player sits down at the next table. */
  noteNext(token: string, next: Luck): void {
    this.change((seat) => (seat.token === token ? { ...seat, next } : seat));
  }

  nextOf(token: string): Luck {
    return this.seats.find((seat) => seat.token === token)?.next ?? {};
  }

  /** The finished games of these tables have been noted. */
  note(tables: ReadonlySet<string>): void {
    this.change((seat) => (tables.has(seat.table) && !seat.noted ? { ...seat, noted: true } : seat));
  }

  /** Forget a seat for good: only if its owner says so. */
  letGo(token: string): void {
    this.keep(this.known().filter((seat) => seat.token !== token));
  }

  /** The server does not know a token. It is kept, as it may be known again. */
  miss(token: string): void {
    this.change((seat) => (seat.token === token ? { ...seat, gone: true } : seat));
  }

  /** Nobody of this device plays again after this table. */
  decline(table: string): void {
    this.change((seat) => (seat.table === table ? { ...seat, declined: true } : seat));
  }

  hasDeclined(table: string): boolean {
    return this.seats.some((seat) => seat.table === table && seat.declined);
  }

  /** The aim of a game has been told. */
  meet(game: string): void {
    if (this.settings.met.includes(game)) return;
    this.settings.met = [...this.settings.met, game];
    this.save();
  }

  /** Where a lesson is left; null: it begins anew. */
  leaveLesson(game: string, place: LessonPlace | null): void {
    const { [game]: _, ...others } = this.settings.lessons;
    this.settings.lessons = place === null ? others : { ...others, [game]: place };
    this.save();
  }

  /** What the server knows of tables where this device has seats. */
  learn(tables: { id: string; game: string; over: boolean }[]): void {
    const told = new Map(tables.map((table) => [table.id, table]));
    this.change((seat) => {
      const table = told.get(seat.table);
      if (!table) return seat;
      const back = this.tokensAt(seat.table).length === 0; // one of these tokens is known, whichever
      const gone = seat.gone && !back;
      if (seat.game === table.game && !!seat.over === table.over && !!seat.gone === !!gone) return seat;
      return { ...seat, game: table.game, over: table.over || undefined, gone: gone || undefined };
    });
  }

  mute(table: string, seat: number): void {
    const key = `${table}:${seat}`;
    this.muted = this.muted.includes(key) ? this.muted.filter((k) => k !== key) : [...this.muted, key];
    this.save();
  }

  /** The seats of all tabs, and those of this one that could not be stored. */
  private known(): SeatHeld[] {
    const stored = readSeats();
    if (this.kept) return stored;
    const tokens = new Set(stored.map((seat) => seat.token));
    return [...stored, ...this.seats.filter((seat) => !tokens.has(seat.token))];
  }

  private change(changed: (seat: SeatHeld) => SeatHeld): void {
    const before = this.known();
    const seats = before.map(changed);
    if (seats.some((seat, at) => seat !== before[at])) this.keep(seats);
  }

  /** Where storage is full, games that are over make room, the oldest first. */
  private keep(seats: SeatHeld[]): void {
    this.seats = seats;
    this.kept = write("seats", seats);
    const over = seats.filter((seat) => seat.over).sort((a, b) => a.at - b.at);
    for (const seat of over) {
      if (this.kept) return;
      seats = seats.filter((each) => each !== seat);
      this.kept = write("seats", seats);
      if (this.kept) this.seats = seats;
    }
  }
}

export const device = new Device();
