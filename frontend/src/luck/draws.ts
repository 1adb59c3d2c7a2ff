// Numbered draws from a table's key, as docs/fairness.md tells. They know no game.

const LIMIT = 1n << 64n;
const ascii = new TextEncoder();

/** Whether this page can draw: browsers keep their cryptography from pages that came over plain http. */
export const canDraw = () => globalThis.crypto?.subtle !== undefined;

/** The bytes that a hexadecimal text stands for; null if it is none. */
export function bytesOf(hex: string): Uint8Array<ArrayBuffer> | null {
  if (!/^([0-9a-f]{2})+$/i.test(hex)) return null;
  return Uint8Array.from(hex.match(/../g)!, (byte) => parseInt(byte, 16));
}

/** What a server promises of a secret before it is used. */
export async function commitmentOf(secret: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", secret);
  return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function keyed(key: BufferSource): Promise<(message: string) => Promise<ArrayBuffer>> {
  const usable = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, [
    "sign",
  ]);
  return (message) => crypto.subtle.sign("HMAC", usable, ascii.encode(message));
}

export class Draws {
  private constructor(
    private readonly hmac: (message: string) => Promise<ArrayBuffer>,
    public number: number, // of the next draw
  ) {}

  /** The nonces are in the order of seats as they were chosen. */
  static async of(secret: Uint8Array<ArrayBuffer>, nonces: readonly string[], number = 0): Promise<Draws> {
    const key = await (await keyed(secret))(nonces.join("\n"));
    return new Draws(await keyed(key), number);
  }

  async below(n: bigint): Promise<bigint> {
    const fair = n * (LIMIT / n);
    for (let attempt = 0; ; attempt++) {
      const bytes = await this.hmac(`${this.number}.${attempt}`);
      const drawn = new DataView(bytes).getBigUint64(0);
      if (drawn >= fair) continue;
      this.number++;
      return drawn % n;
    }
  }

  /** Fisher and Yates, from the last down. */
  async shuffled<T>(things: readonly T[]): Promise<T[]> {
    const mixed = [...things];
    for (let last = mixed.length - 1; last > 0; last--) {
      const other = Number(await this.below(BigInt(last + 1)));
      [mixed[last], mixed[other]] = [mixed[other]!, mixed[last]!];
    }
    return mixed;
  }

  /** Dice with faces a to f: the sorted falls in order, each as often as it can come about. */
  async throw(dice: number): Promise<string> {
    const falls = fallsOf(dice);
    let drawn = Number(await this.below(6n ** BigInt(dice)));
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
