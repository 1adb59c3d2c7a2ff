// Markdown as the rulebooks use it, read into nodes: headings, paragraphs, lists, tables, code, emphasis.

export type Inline =
  | { kind: "text"; text: string }
  | { kind: "code"; text: string }
  | { kind: "strong"; inlines: Inline[] }
  | { kind: "em"; inlines: Inline[] };

export type Block =
  | { kind: "heading"; level: number; id: string; inlines: Inline[] }
  | { kind: "paragraph"; inlines: Inline[] }
  | { kind: "list"; ordered: boolean; items: Block[][] }
  | { kind: "table"; head: Inline[][]; rows: Inline[][][] }
  | { kind: "code"; text: string };

const HEADING = /^(#{1,6}) +(.*)$/;
const FENCE = /^```/;
const ITEM = /^(-|\d+\.) +/;
const ROW = /^\|(.*)\|\s*$/;

export function blocksOf(text: string): Block[] {
  return blocksIn(text.split(/\r?\n/));
}

function blocksIn(lines: string[]): Block[] {
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length;) {
    const line = lines[at]!;
    const heading = HEADING.exec(line);
    let end = at + 1;
    if (heading) {
      const inlines = inlinesOf(heading[2]!);
      blocks.push({ kind: "heading", level: heading[1]!.length, id: idOf(plain(inlines)), inlines });
    } else if (FENCE.test(line)) {
      while (end < lines.length && !FENCE.test(lines[end]!)) end++;
      blocks.push({ kind: "code", text: lines.slice(at + 1, end).join("\n") });
      end++;
    } else if (ROW.test(line)) {
      while (end < lines.length && ROW.test(lines[end]!)) end++;
      blocks.push(tableOf(lines.slice(at, end)));
    } else if (ITEM.test(line)) {
      end = endOfList(lines, at);
      blocks.push(listOf(lines.slice(at, end)));
    } else if (line.trim()) {
      while (end < lines.length && lines[end]!.trim() && !starts(lines[end]!)) end++;
      blocks.push({
        kind: "paragraph",
        inlines: inlinesOf(
          lines
            .slice(at, end)
            .map((each) => each.trim())
            .join(" "),
        ),
      });
    }
    at = end;
  }
  return blocks;
}

function starts(line: string): boolean {
  return [HEADING, FENCE, ITEM, ROW].some((sign) => sign.test(line));
}

/** A list goes on with items of its kind, with lines set in, and with empty lines between those. */
function endOfList(lines: string[], start: number): number {
  const ordered = isOrdered(lines[start]!);
  let end = start + 1;
  for (let at = end; at < lines.length; at++) {
    const line = lines[at]!;
    if (!line.trim()) continue;
    const item = ITEM.test(line) && isOrdered(line) === ordered;
    const lazy = at === end && !starts(line);
    if (!item && !line.startsWith("  ") && !lazy) break;
    end = at + 1;
  }
  return end;
}

function isOrdered(line: string): boolean {
  return /^\d/.test(line);
}

function listOf(lines: string[]): Block {
  const items: string[][] = [];
  let margin = 0;
  for (const line of lines) {
    const sign = ITEM.exec(line);
    if (sign) {
      margin = sign[0].length;
      items.push([line.slice(margin)]);
    } else items.at(-1)!.push(line.replace(new RegExp(`^ {0,${margin}}`), ""));
  }
  return { kind: "list", ordered: isOrdered(lines[0]!), items: items.map(blocksIn) };
}

function tableOf(lines: string[]): Block {
  const [head, , ...rows] = lines.map(cellsOf);
  return { kind: "table", head: head ?? [], rows };
}

function cellsOf(line: string): Inline[][] {
  return ROW.exec(line)![1]!
    .split("|")
    .map((cell) => inlinesOf(cell.trim()));
}

// Code first: signs in it mean nothing. An asterisk before a space is an asterisk.
const SPAN = /`([^`]+)`|\*\*(?=\S)(.+?)\*\*|\*(?=\S)([^*]+)\*/;

export function inlinesOf(text: string): Inline[] {
  const inlines: Inline[] = [];
  for (let rest = text; rest;) {
    const span = SPAN.exec(rest);
    const before = span ? rest.slice(0, span.index) : rest;
    if (before) inlines.push({ kind: "text", text: before });
    if (!span) break;
    const [whole, code, strong, em] = span;
    if (code !== undefined) inlines.push({ kind: "code", text: code });
    else if (strong !== undefined) inlines.push({ kind: "strong", inlines: inlinesOf(strong) });
    else inlines.push({ kind: "em", inlines: inlinesOf(em!) });
    rest = rest.slice(span.index + whole.length);
  }
  return inlines;
}

export function plain(inlines: Inline[]): string {
  return inlines.map((each) => ("text" in each ? each.text : plain(each.inlines))).join("");
}

/** A name for a heading's address: `Mise en place` is `mise-en-place`. */
function idOf(text: string): string {
  const letters = text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  return letters.replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
}
