// Steps of a lesson by the way back: what had been played when each of them was asked for.

import type { LessonPlace } from "$core/device/device.svelte.ts";
import type { LessonChapter, LessonStep } from "$core/http/types.ts";

/** A step as it was when it was asked for: without its own move and the replies, if they have been played. */
export function opened(
  chapters: readonly LessonChapter[],
  { chapter, step, moves }: LessonPlace,
): LessonPlace {
  const made = chapters[chapter]!.steps.slice(0, step).reduce((sum, each) => sum + played(each).length, 0);
  return { chapter, step, moves: moves.slice(0, made) };
}

/** The step before, as it was asked for; the first one is before itself. */
export function before(chapters: readonly LessonChapter[], place: LessonPlace): LessonPlace {
  const { chapter, step } = place;
  if (step > 0 && chapter < chapters.length) return opened(chapters, { ...place, step: step - 1 });
  if (chapter === 0) return { chapter, step: 0, moves: [] };
  // What was played in a chapter that is over is not kept; the first move of those accepted will do.
  const { steps } = chapters[chapter - 1]!;
  return opened(chapters, { chapter: chapter - 1, step: steps.length - 1, moves: steps.flatMap(played) });
}

function played({ moves = [], replies = [] }: LessonStep): string[] {
  return [...moves.slice(0, 1), ...replies];
}
