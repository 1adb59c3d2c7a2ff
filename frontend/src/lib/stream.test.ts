import { expect, test, vi } from "vitest";
import { Follower, messagesIn } from "./stream.ts";

test("messages are read whole, and what is not whole yet waits", () => {
  const [messages, rest] = messagesIn('event: table\nid: 3\ndata: {"a":1}\n\n:\n\nevent: event\nid: 4\nda');
  expect(messages).toEqual([{ kind: "table", id: "3", data: '{"a":1}' }]);
  expect(rest).toBe("event: event\nid: 4\nda");
  expect(messagesIn(`${rest}ta: {}\n\n`)).toEqual([[{ kind: "event", id: "4", data: "{}" }], ""]);
});

test("a stream goes on after what was taken in, and begins anew after what could not be", async () => {
  const page = { hidden: false, addEventListener: () => {}, removeEventListener: () => {} };
  vi.stubGlobal("document", page);
  vi.stubGlobal("navigator", {});
  vi.stubGlobal("addEventListener", () => {});
  vi.stubGlobal("removeEventListener", () => {});
  const asked: (string | undefined)[] = [];
  const streams = [
    "event: table\nid: 3\ndata: {}\n\nevent: event\nid: 4\ndata: bad\n\nevent: event\nid: 5\ndata: {}\n\n",
    "event: table\nid: 5\ndata: {}\n\nevent: event\nid: 6\ndata: {}\n\n",
  ];
  const heard: (string | null)[] = [];
  await new Promise<void>((done) => {
    vi.stubGlobal("fetch", (_: string, { headers }: { headers: Record<string, string> }) => {
      asked.push(headers["Last-Event-ID"]);
      if (asked.length === 3) {
        follower.stop();
        done();
      }
      return Promise.resolve(new Response(streams.shift() ?? ""));
    });
    const hear = async (message: { id: string | null; data: string }) => {
      await Promise.resolve();
      if (message.data === "bad") throw new Error("what is that?");
      heard.push(message.id);
    };
    const follower = new Follower("/tables/t", null, hear, () => {}, () => {});
  });
  vi.unstubAllGlobals();
  expect(heard).toEqual(["3", "5", "6"]);
  expect(asked).toEqual([undefined, undefined, "6"]);
});
