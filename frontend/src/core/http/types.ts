// What the server says, as types: made from its description (see the Makefile), with what the pages add to them.

import type { AnyEvent, Refusal, ReviewStep, StepView as StepTold, TableView } from "./openapi.ts";

export type {
  AnyEvent,
  Choice,
  ClientError,
  Diagram,
  Effect,
  EventMessage,
  GameCard,
  GameReadiness,
  Games,
  Hint,
  HintGiven,
  HistoryView,
  LessonChapter,
  LessonShown,
  LessonStep,
  LabGallery,
  LabPage,
  Line,
  MoveOpinion,
  Notice,
  NowView,
  Opinion,
  PositionShown,
  PuzzleAnswer,
  PuzzleListed,
  PuzzleOfTheDay,
  PuzzleShown,
  PuzzlesListed,
  RecordChecked,
  Remind,
  Refusals,
  ReportCard,
  ResultView,
  Review,
  ReviewStep,
  RulebookPage,
  Seated,
  SeatedAgain,
  SeatView,
  Sentence,
  ServerInfo,
  TableListed,
  TableLive,
  TableOfMine,
  TableRecord,
  TablesListed,
  TableView,
  TextPage,
  ThrowOpinion,
} from "./openapi.ts";

/** Every place of a game with the pieces on it, a letter each, bottom to top. */
export type Drawing = Record<string, string>;

/** What the rules say of a position besides pieces; each game has its own. */
export type Facts = Record<string, unknown>;

/** A move or a throw. Of a throw the server names no seat: whose it was is known from the turn before it. */
export interface StepView extends StepTold {
  thrower?: number;
}

export type Options = TableView["options"];
export type Pace = TableView["pace"];
export type Leaver = TableView["leaver"];
export type Resign = TableView["resign"];
export type Grade = NonNullable<ReviewStep["grade"]>;

/** The rule that forbids a move, and what its words name. */
export type Why = Pick<Refusal, "rule" | "parameters">;

/** Whether nobody waits for anything at a table any more: it has a result, or was closed before its game. */
export function isOver({ result, expired }: TableView): boolean {
  return result !== undefined || expired === true;
}

/** What an event plays: a move or a throw; undefined if it is another kind of event. */
export function playedBy(event: AnyEvent): string | undefined {
  if (event.kind === "moved") return event.move;
  return event.kind === "threw" ? event.throw : undefined;
}

/** The seat an event is about. */
export function seatIn(event: AnyEvent): number | undefined {
  return "seat" in event ? (event.seat ?? undefined) : undefined;
}
