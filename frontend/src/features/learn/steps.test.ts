import { describe, expect, it } from "vitest";
import type { LessonChapter } from "$core/http/types.ts";
import { before, opened } from "./steps.ts";

const READ = { say: "Look." };
const step = (moves: string[], replies: string[] = []) => ({ say: "Play.", moves, replies });
const chapters = [
  { title: "One", view: "", steps: [READ, step(["a", "A"], ["b"]), step(["c"])] },
  { title: "Two", view: "", steps: [READ, step(["d"], ["e", "f"])] },
] as unknown as LessonChapter[];

describe("the way back", () => {
  it("takes what was really played, up to the step", () => {
    const moves = ["A", "b"];
    expect(before(chapters, { chapter: 0, step: 2, moves })).toEqual({ chapter: 0, step: 1, moves: [] });
    expect(opened(chapters, { chapter: 0, step: 2, moves: ["A", "b", "c"] })).toEqual({
      chapter: 0,
      step: 2,
      moves,
    });
  });

  it("leads over a step that is only read", () => {
    expect(before(chapters, { chapter: 0, step: 1, moves: [] })).toEqual({ chapter: 0, step: 0, moves: [] });
  });

  it("leads into the chapter before", () => {
    const last = { chapter: 0, step: 2, moves: ["a", "b"] };
    expect(before(chapters, { chapter: 1, step: 0, moves: [] })).toEqual(last);
  });

  it("leads from the end to the last step", () => {
    const over = { chapter: 2, step: 0, moves: ["d", "e", "f"], over: true };
    expect(before(chapters, over)).toEqual({ chapter: 1, step: 1, moves: [] });
  });

  it("ends at the first step", () => {
    expect(before(chapters, { chapter: 0, step: 0, moves: [] })).toEqual({ chapter: 0, step: 0, moves: [] });
  });
});
