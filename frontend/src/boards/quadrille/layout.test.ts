import { describe, expect, it } from "vitest";
import { layoutOf, neighbour, SQUARES } from "./layout.ts";

describe("the layout", () => {
  it("has white's first rank at the bottom, black's at the top", () => {
    expect(layoutOf(false, 0).grid).toMatchObject({ a1: [0, 5], h6: [7, 0] });
    expect(layoutOf(false, 1).grid).toMatchObject({ a1: [7, 0], h6: [0, 5] });
  });

  it("turns a quarter on a narrow screen, and mirrors nothing", () => {
    expect(layoutOf(true, 0).grid).toMatchObject({ a1: [5, 7], h1: [5, 0], a6: [0, 7] });
    expect(layoutOf(true, 1).grid).toMatchObject({ a1: [0, 0], h1: [0, 7], a6: [5, 0] });
  });

  it.each([true, false])("keeps everything in the picture (upright: %s)", (upright) => {
    const { width, height, at, labels, ledges } = layoutOf(upright, 0);
    expect(new Set(labels.map(({ text }) => text)).size).toBe(14);
    expect(labels).toHaveLength(14);
    for (const { x, y } of [...Object.values(at), ...labels]) {
      expect(x > 0 && x < width && y > 0 && y < height).toBe(true);
    }
    for (const ledge of ledges) expect(ledge.x + ledge.width <= width && ledge.y + ledge.height <= height).toBe(true);
  });

  it("knows the neighbours as they are seen", () => {
    const layout = layoutOf(true, 0);
    expect(neighbour(layout, "a1", "ArrowUp")).toBe("b1");
    expect(neighbour(layout, "a1", "ArrowLeft")).toBe("a2");
    expect(neighbour(layout, "a1", "ArrowRight")).toBe("a1");
    expect(SQUARES).toHaveLength(48);
  });
});
