import { expect, it } from "vitest";
import { bytesOf, commitmentOf, Draws } from "./draws.ts";
import vectors from "./vectors.json";

it.each(vectors)("draws what the server draws from $commitment", (vector) => {
  const secret = bytesOf(vector.secret)!;
  expect(commitmentOf(secret)).toBe(vector.commitment);
  for (const [number, below, value] of vector.draws as [number, string, string][]) {
    const draws = new Draws(secret, vector.nonces, number);
    expect(String(draws.below(BigInt(below)))).toBe(value);
    expect(draws.number).toBe(number + 1);
  }
  for (const [number, thrown] of vector.throws as [number, string][]) {
    const draws = new Draws(secret, vector.nonces, number);
    expect(`=${draws.throw(thrown.length - 1)}`).toBe(thrown);
  }
  for (const order of vector.orders) {
    const draws = new Draws(secret, vector.nonces);
    expect(draws.shuffled([...order.keys()])).toEqual(order);
  }
});

it("reads hexadecimal strictly", () => {
  expect(bytesOf("00fF")).toEqual(new Uint8Array([0, 255]));
  for (const bad of ["", "0", "0g", "00 "]) expect(bytesOf(bad)).toBeNull();
});
