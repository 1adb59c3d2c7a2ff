import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ApiError } from "$core/http/api.ts";
import { setUp, speak, tearDown } from "$testing/components.ts";
import { errorMessage } from "./errors.ts";

beforeEach(async () => void (await setUp()));
afterEach(tearDown);

test("what the server refuses is said in the reader’s words", () => {
  expect(errorMessage(new ApiError(409, "not-your-turn", "it is not the turn"))).toBe("It isn’t your turn.");
  expect(errorMessage(new ApiError(409, "unheard-of", "in its words"))).toBe("in its words");
});

test.each([new Error("a bug"), "a text", undefined])(
  "%s is an error of ours, and has a message",
  async (error) => {
    const complaints = vi.spyOn(console, "error").mockImplementation(() => {});
    expect(errorMessage(error)).toBe("Something went wrong. Try again in a moment.");
    expect(complaints).toHaveBeenCalledWith(error);
    await speak("fr");
    expect(errorMessage(error)).toBe("Une erreur s’est produite. Réessayez dans un instant.");
  },
);
