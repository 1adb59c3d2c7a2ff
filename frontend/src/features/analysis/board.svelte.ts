// The analysis board: where it begins, the tree of moves, and the node that is looked at.

import { Study } from "$engine/study.svelte.ts";
import { request, getTable, ApiError } from "$core/http/api.ts";
import type { Options, PositionShown } from "$core/http/types.ts";
import { playedBy } from "$core/http/types.ts";
import { seatName } from "$core/describe/table.ts";
import { BadLink, read, written, type Linked } from "./link.ts";
import {
  after,
  has,
  lastOf,
  movesTo,
  played,
  promoted,
  removed,
  withLine,
  type Path,
  type Tree,
} from "./tree.ts";

/** Why something that was to be loaded is not there: the key of its words. */
export type Note = "analysis.bad-link" | "analysis.cut" | "analysis.not-over" | "analysis.other-game" | "";

export class AnalysisBoard {
  tree = $state.raw<Tree>([]);
  path = $state.raw<Path>([]);
  study = $state.raw<Study | null>(null);
  names = $state.raw<readonly string[]>([]); // of those who played it
  note = $state<Note>("");
  trouble = $state.raw<ApiError | null>(null);
  private from = $state.raw<{ options: Options; position: string } | null>(null);
  private shownPath: Path = []; // of the position on the board, while another is asked for
  private closed = false;

  constructor(readonly game: string) {}

  close(): void {
    this.closed = true;
    this.study?.playback.stop();
  }

  readonly options: Options | null = $derived.by(() => this.from?.options ?? null);
  readonly start: string = $derived.by(() => this.from?.position ?? "");
  readonly moves: readonly string[] = $derived.by(() => movesTo(this.tree, this.path));
  readonly hasNext: boolean = $derived.by(() => after(this.tree, this.path).length > 0);
  readonly link: string = $derived.by(() =>
    this.from ? written({ ...this.from, from: this.from.position, tree: this.tree, path: this.path }) : "",
  );

  // ---- Where it begins

  /** The position of a link; the deal if the link cannot be read. */
  async openLink(fragment: string): Promise<void> {
    let linked: Linked;
    try {
      linked = read(fragment);
      await this.open(linked.options, linked.from, linked.tree, linked.path);
    } catch (error) {
      const bad = error instanceof BadLink || (error instanceof ApiError && error.status === 422);
      if (!bad) throw error;
      await this.openDeal({});
      this.note = "analysis.bad-link";
    }
  }

  /** As a table that is over has gone, so many steps of it. */
  async openTable(id: string, at: number | null): Promise<void> {
    const [table, record] = await Promise.all([
      getTable(id, null),
      request("GET /tables/{table}/record", { path: { table: id } }),
    ]);
    const began = record.entries.map(({ event }) => event).find(({ kind }) => kind === "began");
    const wrong = table.game !== this.game ? "analysis.other-game" : "analysis.not-over";
    if (table.game !== this.game || !table.result || began?.kind !== "began") {
      await this.openDeal({});
      this.note = wrong;
      return;
    }
    let moves: string[] = [];
    for (const { event } of record.entries) {
      const move = playedBy(event);
      if (move !== undefined) moves.push(move);
      else if (event.kind === "undone") moves = moves.slice(0, event.keep);
    }
    const tree = withLine({ tree: [], path: [] }, moves).tree;
    const path = lastOf(tree, []).slice(0, at ?? moves.length);
    await this.open(table.options, began.start, tree, path);
    this.names = table.seats.map(seatName);
  }

  /** A new deal. */
  async openDeal(options: Options): Promise<void> {
    const { players, ...others } = options;
    const seed = Math.floor(Math.random() * 2 ** 50);
    const dealt = await this.look({ players, options: others, seed });
    await this.open(dealt.options, dealt.view, [], []);
  }

  /** A position in text, and what is played from there. */
  async open(options: Options, position: string, tree: Tree, path: Path): Promise<void> {
    const { players, ...others } = options;
    const where = { game: this.game, players: Number(players), options: others, position, whole: true };
    const study = new Study(where);
    await study.load(); // the start, to be sure of it
    if (this.closed) return;
    this.study?.playback.stop();
    this.from = { options: study.shown!.options, position };
    this.study = study;
    this.tree = tree;
    this.path = this.shownPath = [];
    this.names = [];
    this.note = "";
    this.trouble = null;
    await this.go(path);
  }

  /** What the server says of a position; ApiError if there is none. */
  look(where: {
    players?: string | number;
    options: Options;
    position?: string;
    seed?: number;
  }): Promise<PositionShown> {
    const { players, ...rest } = where;
    const body = { ...rest, whole: true, ...(players === undefined ? {} : { players: Number(players) }) };
    return request("POST /games/{name}/positions", { path: { name: this.game }, body, patience: 15_000 });
  }

  /** Run an action; on an API error, show it and return false. */
  async attempt(action: () => Promise<void>): Promise<boolean> {
    this.trouble = null;
    try {
      await action();
      return true;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (!this.closed) this.trouble = error;
      return false;
    }
  }

  // ---- Moves

  /** Look at a node. What cannot be played there is cut off. */
  async go(path: Path): Promise<void> {
    const { study } = this;
    if (!study || !has(this.tree, path)) return;
    this.path = path;
    study.note = "";
    this.trouble = null;
    try {
      await study.show(movesTo(this.tree, path));
      if (this.path === path) this.shownPath = path;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (this.closed || this.path !== path) return;
      const { at } = error.detail;
      if (error.status === 422 && at !== undefined) {
        const place = removed({ tree: this.tree, path: path.slice(0, at + 1) });
        this.tree = place.tree;
        await this.go(place.path);
        this.note = "analysis.cut";
        return;
      }
      this.path = this.shownPath;
      this.trouble = error;
    }
  }

  async play(move: string): Promise<void> {
    if (this.study?.sending) return; // it was meant for another position
    const before = { tree: this.tree, path: this.path };
    const { tree, path } = played(before, move);
    this.tree = tree;
    await this.go(path);
    if (this.trouble) this.tree = before.tree; // it was not made
  }

  /** Add a line that is expected, without leaving the node. */
  addLine(moves: readonly string[]): void {
    this.tree = withLine({ tree: this.tree, path: this.path }, moves).tree;
  }

  back(): Promise<void> {
    return this.go(this.path.slice(0, -1));
  }

  forward(): Promise<void> {
    return this.go([...this.path, 0]);
  }

  toStart(): Promise<void> {
    return this.go([]);
  }

  toEnd(): Promise<void> {
    return this.go(lastOf(this.tree, this.path));
  }

  /** Go to the node before, then delete this one. It stays if that position cannot be shown. */
  async remove(): Promise<void> {
    const node = this.path;
    const parent = node.slice(0, -1);
    await this.go(parent);
    if (this.path === parent) this.tree = removed({ tree: this.tree, path: node }).tree;
  }

  promote(): void {
    const place = promoted({ tree: this.tree, path: this.path });
    this.tree = place.tree;
    this.path = this.shownPath = place.path;
  }
}
