import { expect, test } from "vitest";
import { messagesIn } from "./stream.ts";

test("messages are read whole, and what is not whole yet waits", () => {
  const [messages, rest] = messagesIn('event: table\nid: 3\ndata: {"a":1}\n\n:\n\nevent: event\nid: 4\nda');
  expect(messages).toEqual([{ kind: "table", id: "3", data: '{"a":1}' }]);
  expect(rest).toBe("event: event\nid: 4\nda");
  expect(messagesIn(`${rest}ta: {}\n\n`)).toEqual([[{ kind: "event", id: "4", data: "{}" }], ""]);
});
