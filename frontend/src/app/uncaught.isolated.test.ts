import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { reportUncaught } from "./uncaught.ts";

const report = vi.hoisted(() => vi.fn());
vi.mock("$core/http/client-errors.ts", () => ({ reportError: report }));

let stop: () => void;
beforeEach(() => (report.mockClear(), (stop = reportUncaught())));
afterEach(() => stop());

const rejection = (reason: unknown) => Object.assign(new Event("unhandledrejection"), { reason });

test("errors and rejections that nobody handles are reported", () => {
  const [thrown, rejected] = [new Error("thrown"), new Error("rejected")];
  dispatchEvent(new ErrorEvent("error", { error: thrown, message: "thrown" }));
  dispatchEvent(rejection(rejected));
  expect(report.mock.calls).toEqual([[thrown], [rejected]]);
});

test("of an error that the page may not see only the message is reported", () => {
  dispatchEvent(new ErrorEvent("error", { error: null, message: "Script error." }));
  expect(report.mock.calls).toEqual([["Script error."]]);
});

test("a file that does not load is no error of the code", () => {
  const image = document.body.appendChild(document.createElement("img"));
  image.dispatchEvent(new Event("error"));
  expect(report).not.toHaveBeenCalled();
});
