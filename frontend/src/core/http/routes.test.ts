import { expect, test } from "vitest";
import { postAction, request, requestOnce } from "./api.ts";
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
  () => request("GET /tabels"),
  // @ts-expect-error it has another method
  () => request("POST /server"),
  // @ts-expect-error the path has a parameter
  () => requestOnce("GET /tables/{table}"),
  // @ts-expect-error the parameter has another name
  () => request("GET /tables/{table}", { path: { id: "t" } }),
  // @ts-expect-error there is no such language
  () => request("GET /lab", { query: { language: "de" } }),
  // @ts-expect-error the body lacks the game
  () => request("POST /tables", { body: {} }),
  // @ts-expect-error a read has no body
  () => request("GET /server", { body: {} }),
  // @ts-expect-error a move is a text
  () => postAction("t", "move", "token", { move: 1 }),
  // @ts-expect-error an answer is of its route
  async () => (await request("GET /server")).tables,
];
