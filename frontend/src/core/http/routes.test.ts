import { expect, test } from "vitest";
import { act, ask, once } from "./api.ts";
import { addressOf } from "./routes.ts";

test("an address is made of a route and its parameters", () => {
  expect(addressOf("GET /server")).toEqual(["GET", "/api/server"]);
  const move = addressOf("GET /tables/{table}/odds", {
    path: { table: "a b" },
    query: { move: "d1*3&", x: undefined },
  });
  expect(move).toEqual(["GET", "/api/tables/a%20b/odds?move=d1*3%26"]);
  const sit = addressOf("POST /tables/{table}/seats/{seat}", { path: { table: "t", seat: 0 } });
  expect(sit).toEqual(["POST", "/api/tables/t/seats/0"]);
});

// Only compiled: each line must be an error of types.
export const WRONG = [
  // @ts-expect-error there is no such path
  () => ask("GET /tabels"),
  // @ts-expect-error it has another method
  () => ask("POST /server"),
  // @ts-expect-error the path has a parameter
  () => once("GET /tables/{table}"),
  // @ts-expect-error the parameter has another name
  () => ask("GET /tables/{table}", { path: { id: "t" } }),
  // @ts-expect-error there is no such language
  () => ask("GET /lab", { query: { language: "de" } }),
  // @ts-expect-error the body lacks the game
  () => ask("POST /tables", { body: {} }),
  // @ts-expect-error a read has no body
  () => ask("GET /server", { body: {} }),
  // @ts-expect-error a move is a text
  () => act("t", "move", "token", { move: 1 }),
  // @ts-expect-error an answer is of its route
  async () => (await ask("GET /server")).tables,
];
