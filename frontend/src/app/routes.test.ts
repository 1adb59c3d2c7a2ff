import { describe, expect, it } from "vitest";
import { match } from "./routes.ts";

describe("routes", () => {
  it.each([
    ["/", "/", {}],
    ["/t/abc", "/t/:id", { id: "abc" }],
    ["/new/quadrille", "/new/:game", { game: "quadrille" }],
    ["/rules/quadrille", "/rules/:game", { game: "quadrille" }],
    ["/review", "/review", {}],
    ["/review/abc", "/review/:id", { id: "abc" }],
    ["/puzzles", "/puzzles", {}],
    ["/puzzles/quadrille/3", "/puzzles/:game/:id", { game: "quadrille", id: "3" }],
    ["/lab", "/lab/:id?", { id: "" }],
    ["/lab/balance", "/lab/:id?", { id: "balance" }],
    ["/games/", "/games", {}],
  ])("show %s", (path, route, props) => {
    const found = match(path);
    expect(found.route?.path).toBe(route);
    expect(found.props).toEqual(props);
  });

  it.each(["/nothing", "/t", "/rules", "/puzzles/quadrille", "/lab/balance/3", "/games/3"])(
    "show nothing at %s",
    (path) => expect(match(path).route).toBeNull(),
  );

  it("build a page anew for another query if it reads the query", () => {
    expect(match("/rules/quadrille").route?.remount).toBe("visit");
    expect(match("/t/abc").route?.remount).toBe("path");
  });
});
