import { beforeEach, expect, test, vi } from "vitest";
import type { HistoryView, Notice, TableOfMine } from "$core/http/types.ts";

const server = vi.hoisted(() => ({
  taken: [] as string[], // names
  sent: [] as { name: string; commitment: string }[],
  mine: [] as TableOfMine[],
  notices: [] as Notice[],
  histories: 0,
}));

vi.mock("$core/http/api.ts", async (original) => {
  const api = await original<typeof import("$core/http/api.ts")>();
  return {
    ...api,
    request: async (_path: string, { body }: { body: { name: string; commitment: string } }) => {
      server.sent.push(body);
      if (server.taken.includes(body.name)) throw new api.ApiError(409, "name-taken", "");
      return { token: "token", seat: 1, table: { game: "quadrille", number: 2, seats: [] } };
    },
    getTable: async () => ({ commitment: "promise" }),
    getMyTables: async () => server.mine,
    getHistory: async () => {
      server.histories++;
      return { notices: server.notices } as unknown as HistoryView;
    },
  };
});

const { ApiError } = await import("$core/http/api.ts");
const { words } = await import("$core/i18n/words.svelte.ts");
await words.load();
const { device } = await import("$core/device/device.svelte.ts");
const { sitDown, tablesOfMine } = await import("./seats.ts");

beforeEach(() => {
  localStorage.clear();
  for (const { token } of device.seats) device.letGo(token);
  Object.assign(server, { taken: [], sent: [], mine: [], notices: [], histories: 0 });
});

test("who has no name is the next guest at the table", async () => {
  server.taken = ["Guest", "Guest 2"];
  await sitDown("T", 1, "");
  expect(server.sent.map(({ name }) => name)).toEqual(["Guest", "Guest 2", "Guest 3"]);
  expect(device.seats).toMatchObject([{ token: "token", seat: 1, since: 2, promise: "promise" }]);
});

test("a name that somebody chose is not changed", async () => {
  server.taken = ["Guest", "Ann"];
  await expect(sitDown("T", 1, "Ann")).rejects.toThrow(ApiError);
  await expect(sitDown("T", 1, "Guest")).rejects.toThrow(ApiError);
  expect(server.sent.map(({ name }) => name)).toEqual(["Ann", "Guest"]);
});

test("other errors are passed on, and guest numbers have a limit", async () => {
  server.taken = ["Guest", ...Array.from({ length: 20 }, (_, n) => `Guest ${n + 2}`)];
  await expect(sitDown("T", 1, "")).rejects.toThrow(ApiError);
  expect(server.sent).toHaveLength(8);
});

const lost = { number: 4, at: 0, after: 0, kind: "unrevealed", seat: 1, name: "Ann" } as Notice;

async function look(): Promise<void> {
  await tablesOfMine();
  for (let n = 0; n < 10; n++) await Promise.resolve();
}

test("a seat that was freed meanwhile is reported until it is dismissed", async () => {
  device.hold("T", "one", "quadrille", { nonce: "a1" }, { seat: 1, since: 3 });
  server.notices = [lost];
  await look();
  expect(device.seats).toMatchObject([{ lost: true, gone: true }]);
  device.dismissLost("T");
  await look();
  expect([device.seats[0]!.lost, server.histories]).toEqual([undefined, 1]);
});

test("a seat that was left on another device is not told of, and asked about once", async () => {
  device.hold("T", "two", "quadrille", { nonce: "a1" }, { seat: 1, since: 4 }); // after somebody else lost it
  server.notices = [lost];
  await look();
  await look();
  expect([device.seats[0]!.lost, server.histories]).toEqual([undefined, 1]);
});
