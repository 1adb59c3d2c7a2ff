// SHA-256 (FIPS 180-4) and HMAC. Browsers keep WebCrypto from pages that came over plain http, and tables in a home
// network are played over plain http. So this is used everywhere.

const ROUND = Uint32Array.from(fractions((prime) => Math.cbrt(prime), 64));
const START = fractions(Math.sqrt, 8);
const BLOCK = 64; // bytes

/** The first 32 bits of the fractional parts of roots of the first primes. */
function fractions(root: (prime: number) => number, count: number): number[] {
  const primes: number[] = [];
  for (let n = 2; primes.length < count; n++) if (primes.every((prime) => n % prime)) primes.push(n);
  return primes.map((prime) => (root(prime) * 2 ** 32) >>> 0);
}

const rotate = (word: number, bits: number) => (word >>> bits) | (word << (32 - bits));

export function sha256(message: Uint8Array): Uint8Array {
  const blocks = Math.ceil((message.length + 9) / BLOCK); // with a one bit and the length
  const padded = new Uint8Array(blocks * BLOCK);
  padded.set(message);
  padded[message.length] = 0x80;
  const view = new DataView(padded.buffer);
  view.setBigUint64(padded.length - 8, BigInt(message.length) * 8n);
  const hash = Uint32Array.from(START);
  for (let at = 0; at < padded.length; at += BLOCK) compress(hash, view, at);
  const digest = new DataView(new ArrayBuffer(32));
  hash.forEach((word, n) => digest.setUint32(4 * n, word));
  return new Uint8Array(digest.buffer);
}

function compress(hash: Uint32Array, view: DataView, at: number): void {
  const w = new Uint32Array(64);
  for (let n = 0; n < 64; n++) {
    if (n < 16) {
      w[n] = view.getUint32(at + 4 * n);
      continue;
    }
    const [early, late] = [w[n - 15]!, w[n - 2]!];
    const s0 = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
    const s1 = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
    w[n] = w[n - 16]! + s0 + w[n - 7]! + s1;
  }
  let [a, b, c, d, e, f, g, h] = hash as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let n = 0; n < 64; n++) {
    const s1 = rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25);
    const chosen = (e & f) ^ (~e & g);
    const first = (h + s1 + chosen + ROUND[n]! + w[n]!) | 0;
    const s0 = rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + s0 + majority) | 0];
  }
  [a, b, c, d, e, f, g, h].forEach((word, n) => (hash[n]! += word));
}

export function hmac(key: Uint8Array, message: Uint8Array): Uint8Array {
  const block = new Uint8Array(BLOCK);
  block.set(key.length > BLOCK ? sha256(key) : key);
  const padded = (byte: number) => block.map((each) => each ^ byte);
  return sha256(joined(padded(0x5c), sha256(joined(padded(0x36), message))));
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const both = new Uint8Array(one.length + other.length);
  both.set(one);
  both.set(other, one.length);
  return both;
}

export const hex = (bytes: Uint8Array) =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The SHA-256 of a text, in hexadecimal. */
export const fingerprint = (text: string) => hex(sha256(new TextEncoder().encode(text)));
