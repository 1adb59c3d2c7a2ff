// The graph as a picture that stands alone: every colour is in it, and nothing is fetched.

import { apart, DASHES, flagsOf, lineOf, plotOf, SIGNS, yOf } from "./graph.ts";

export interface Pictured {
  title: string;
  names: readonly string[];
  chances: readonly (readonly number[])[];
  turns: readonly number[]; // moments
  percents: (share: number) => string;
  moves: string; // what is counted along it
}

/** The colours it is drawn with, as any program reads them. */
export interface Colours {
  ground: string;
  text: string;
  soft: string;
  line: string;
  seats: readonly string[];
}

export const SIZE = { width: 960, height: 480 };
const MARGIN = 24;
const HEAD = 56; // for the title
const LABELS = 190;
const FONT = "system-ui, sans-serif";

export function pictureOf(
  { title, names, chances, turns, percents, moves }: Pictured,
  colours: Colours,
): string {
  const end = Math.max(0, chances.length - 1);
  const plot = plotOf(
    { width: SIZE.width - 2 * MARGIN, height: SIZE.height - HEAD - MARGIN - 20 },
    end,
    LABELS,
  );
  const last = chances[end] ?? [];
  const heights = apart(
    last.map((chance) => yOf(plot, chance)),
    20,
    plot.top,
    plot.bottom,
  );
  const text = (x: number, y: number, said: string, more = "") =>
    `<text x="${x}" y="${y}" fill="${colours.text}" ${more}>${escaped(said)}</text>`;
  const grid = [0, 0.25, 0.5, 0.75, 1].map((share) => {
    const y = yOf(plot, share);
    const label = `<text x="${plot.left - 6}" y="${y + 5}" text-anchor="end" fill="${colours.soft}">`;
    return `<path d="M${plot.left} ${y}H${plot.right}" stroke="${colours.line}"/>${label}${escaped(percents(share))}</text>`;
  });
  const flags = flagsOf(plot, turns, 22).map(
    ({ x, at }, index) =>
      `<path d="M${at} ${plot.top - 4}L${x} ${plot.top}V${plot.bottom}" fill="none" stroke="${colours.soft}" stroke-dasharray="2 3"/>` +
      `<circle cx="${at}" cy="${plot.top - 14}" r="10" fill="${colours.ground}" stroke="${colours.soft}"/>` +
      text(at, plot.top - 9, String(index + 1), 'text-anchor="middle"'),
  );
  const lines = names.map(
    (_, seat) =>
      `<path d="${lineOf(plot, chances, seat)}" fill="none" stroke="${colours.seats[seat]}" stroke-width="3" ` +
      `stroke-linejoin="round" stroke-linecap="round"${DASHES[seat] ? ` stroke-dasharray="${DASHES[seat]}"` : ""}/>`,
  );
  const labels = names.map(
    (name, seat) =>
      `<g transform="translate(${plot.right + 14} ${heights[seat] ?? 0})">` +
      `<path d="${SIGNS[seat]}" fill="${colours.seats[seat]}"/>` +
      text(12, 5, `${name} ${percents(last[seat] ?? 0)}`) +
      `</g>`,
  );
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE.width}" height="${SIZE.height}" ` +
    `viewBox="0 0 ${SIZE.width} ${SIZE.height}" font-family="${FONT}" font-size="15">` +
    `<title>${escaped(title)}</title>` +
    `<rect width="100%" height="100%" fill="${colours.ground}"/>` +
    text(MARGIN, 36, title, 'font-size="20" font-weight="700"') +
    `<g transform="translate(${MARGIN} ${HEAD})">${grid.join("")}${flags.join("")}${lines.join("")}${labels.join("")}` +
    `<text x="${plot.right}" y="${plot.height + 10}" text-anchor="end" fill="${colours.soft}">${escaped(moves)}</text>` +
    `</g></svg>`
  );
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escaped = (said: string) => said.replace(/[&<>"]/g, (sign) => ENTITIES[sign]!);
