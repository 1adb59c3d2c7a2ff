import { createHash, createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { fingerprint, hex, hmac, sha256 } from "./sha256.ts";

test("the examples of the standard", () => {
  expect(fingerprint("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  expect(fingerprint("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
});

test("any length, and any key", () => {
  for (let length = 0; length < 200; length++) {
    const bytes = Uint8Array.from({ length }, (_, n) => (n * 151 + length * 31) % 256);
    expect(hex(sha256(bytes))).toBe(createHash("sha256").update(bytes).digest("hex"));
    const keyed = createHmac("sha256", bytes).update("3.0").digest("hex");
    expect(hex(hmac(bytes, new TextEncoder().encode("3.0")))).toBe(keyed);
  }
});
