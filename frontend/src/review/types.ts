// What the server says of a game that is over.

import type { Sentence } from "../table/sentence.ts";

export type Grade = "best" | "good" | "inaccuracy" | "mistake" | "blunder";
export type Certainty = "exact" | "proven" | "estimated";

export interface ReviewStep {
  seat: number | null;
  move: string;
  chances: number[];
  certainty: Certainty;
  best: string | null;
  line: string[];
  worth: number;
  best_worth: number;
  lost: number;
  luck: number[] | null;
  grade: Grade | null;
  belief: number[][] | null;
}

export interface SeatReview {
  accuracy: number;
  decisions: number;
  best: number;
  lost: number;
  luck: number | null;
  hidden: number | null;
}

export interface TurningPoint {
  at: number;
  seat: number | null;
  change: number;
  idea: Sentence;
}

export interface Review {
  id: string;
  game: string;
  options: Record<string, string | number>;
  version: number;
  names: string[];
  levels: number[];
  shares: number[];
  reason: string;
  exact: boolean;
  progress: { done: number; total: number };
  complete: boolean;
  start: number[];
  steps: ReviewStep[];
  seats: SeatReview[];
  turns: TurningPoint[];
  decided: Sentence | null;
  colours?: string[];
  positions: string[];
}
