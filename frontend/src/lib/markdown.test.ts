import { describe, expect, it } from "vitest";
import { blocksOf, inlinesOf, plain, type Block } from "./markdown.ts";

const RULEBOOKS = import.meta.glob<string>("../../../src/benben/games/*/rulebook.*.md", {
  query: "?raw",
  import: "default",
  eager: true,
});

const text = (words: string) => ({ kind: "text", text: words });
const paragraph = (words: string) => ({ kind: "paragraph", inlines: [text(words)] });

describe("markdown", () => {
  it("reads headings and paragraphs", () => {
    expect(blocksOf("# A title\n\nTwo\nlines.\n\n## Mise en place à deux\n")).toEqual([
      { kind: "heading", level: 1, id: "a-title", inlines: [text("A title")] },
      paragraph("Two lines."),
      { kind: "heading", level: 2, id: "mise-en-place-a-deux", inlines: [text("Mise en place à deux")] },
    ]);
  });

  it("reads emphasis and code", () => {
    expect(inlinesOf("a **b** *c* `d*1*`")).toEqual([
      text("a "),
      { kind: "strong", inlines: [text("b")] },
      text(" "),
      { kind: "em", inlines: [text("c")] },
      text(" "),
      { kind: "code", text: "d*1*" },
    ]);
    expect(inlinesOf("4 * 21 * 2")).toEqual([text("4 * 21 * 2")]);
    expect(inlinesOf("**a `b` c**")).toEqual([
      { kind: "strong", inlines: [text("a "), { kind: "code", text: "b" }, text(" c")] },
    ]);
  });

  it("leaves code blocks as they are", () => {
    expect(blocksOf("```\n  a1  *a2*\n\n# b\n```\nafter")).toEqual([
      { kind: "code", text: "  a1  *a2*\n\n# b" },
      paragraph("after"),
    ]);
  });

  it("reads tables", () => {
    expect(blocksOf("| a | b |\n|---|---|\n| 1 | `2` |\n")).toEqual([
      {
        kind: "table",
        head: [[text("a")], [text("b")]],
        rows: [[[text("1")], [{ kind: "code", text: "2" }]]],
      },
    ]);
  });

  it("reads lists, one in another, with paragraphs of their own", () => {
    const [list, after] = blocksOf("1. one\n   more\n   - inner\n\n   still one\n2. two\n\nafter") as [
      Block,
      Block,
    ];
    expect(list).toEqual({
      kind: "list",
      ordered: true,
      items: [
        [
          paragraph("one more"),
          { kind: "list", ordered: false, items: [[paragraph("inner")]] },
          paragraph("still one"),
        ],
        [paragraph("two")],
      ],
    });
    expect(after).toEqual(paragraph("after"));
  });

  it("reads every rulebook to the end, with no sign left over", () => {
    expect(Object.keys(RULEBOOKS).length).toBeGreaterThan(7);
    for (const [path, book] of Object.entries(RULEBOOKS)) {
      const blocks = blocksOf(book);
      expect(blocks[0]).toMatchObject({ kind: "heading", level: 1 });
      for (const words of proseOf(blocks)) expect(words, path).not.toMatch(/\*\*|`|^#|^\||^- /m);
    }
  });
});

function proseOf(blocks: Block[]): string[] {
  return blocks.flatMap((block) => {
    if (block.kind === "list") return block.items.flatMap(proseOf);
    if (block.kind === "table") return [...block.head, ...block.rows.flat()].map(plain);
    return block.kind === "code" ? [] : [plain(block.inlines.filter((each) => each.kind !== "code"))];
  });
}
