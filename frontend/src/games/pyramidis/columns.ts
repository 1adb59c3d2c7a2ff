// What a column is made of.

export interface Run {
  letter: string; // of the colour
  n: number; // so many lie one upon the other
}

/** The pyramids of a column from the bottom, those of a colour together. */
export function runsOf(pyramids: string): Run[] {
  const runs: Run[] = [];
  for (const letter of pyramids) {
    const last = runs.at(-1);
    if (last?.letter === letter) last.n++;
    else runs.push({ letter, n: 1 });
  }
  return runs;
}
