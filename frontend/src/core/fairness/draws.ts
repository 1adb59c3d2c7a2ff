// Numbered draws from a table's key, as docs/fairness.md describes. They know no game.

import { hex, hmac, sha256 } from "$core/crypto/sha256.ts";

const LIMIT = 1n << 64n;
const ascii = new TextEncoder();

/** The bytes that a hexadecimal text stands for; null if it is none. */
export function bytesOf(text: string): Uint8Array | null {
  if (!/^([0-9a-f]{2})+$/i.test(text)) return null;
  return Uint8Array.from(text.match(/../g)!, (byte) => parseInt(byte, 16));
}

/** What a server promises of a secret before it is used. */
export const commitmentOf = (secret: Uint8Array) => hex(sha256(secret));

export class Draws {
  private readonly key: Uint8Array;

  /** The nonces are in the order of seats as they were chosen; `number` is that of the next draw. */
  constructor(
    secret: Uint8Array,
    nonces: readonly string[],
    public number = 0,
  ) {
    this.key = hmac(secret, ascii.encode(nonces.join("\n")));
  }

  below(n: bigint): bigint {
    const fair = n * (LIMIT / n);
    for (let attempt = 0; ; attempt++) {
      const bytes = hmac(this.key, ascii.encode(`${this.number}.${attempt}`));
      const drawn = new DataView(bytes.buffer).getBigUint64(0);
      if (drawn >= fair) continue;
      this.number++;
      return drawn % n;
    }
  }

  /** Fisher and Yates, from the last down. */
  shuffled<T>(things: readonly T[]): T[] {
    const mixed = [...things];
    for (let last = mixed.length - 1; last > 0; last--) {
      const other = Number(this.below(BigInt(last + 1)));
      [mixed[last], mixed[other]] = [mixed[other]!, mixed[last]!];
    }
    return mixed;
  }

  /** Dice with faces a to f: the sorted falls in order, each as often as it can come about. */
  throw(dice: number): string {
    const falls = fallsOf(dice);
    let drawn = Number(this.below(6n ** BigInt(dice)));
    return falls.find(({ ways }) => (drawn -= ways) < 0)!.faces;
  }
}

interface Fall {
  faces: string;
  ways: number;
}

export const MOST_DICE = 6;
const FALLS: Fall[][] = [];

function fallsOf(dice: number): Fall[] {
  return (FALLS[dice] ??= [...sorted(dice)].map((faces) => ({ faces, ways: waysOf(faces) })));
}

function* sorted(dice: number, from = 0): Generator<string> {
  if (dice === 0) yield "";
  else
    for (let face = from; face < 6; face++)
      for (const others of sorted(dice - 1, face)) yield "abcdef"[face]! + others;
}

const factorial = (n: number): number => (n < 2 ? 1 : n * factorial(n - 1));

function waysOf(faces: string): number {
  const counts = [..."abcdef"].map((face) => faces.split(face).length - 1);
  return counts.reduce((ways, count) => ways / factorial(count), factorial(faces.length));
}
