import { afterEach, expect, test, vi } from "vitest";

async function opened(
  address: string,
  info: object | null,
): Promise<typeof import("./public-origin.svelte.ts").home> {
  vi.resetModules();
  (window as unknown as { happyDOM: { setURL(url: string): void } }).happyDOM.setURL(address);
  vi.stubGlobal("fetch", async () => new Response(JSON.stringify(info)));
  const { home } = await import("./public-origin.svelte.ts");
  await home.load();
  return home;
}

afterEach(() => void vi.unstubAllGlobals());

test.each(["http://localhost:8000/", "http://127.0.0.1:8000/t/abc", "http://[::1]:8000/"])(
  "a page on %s gives the address others can open",
  async (address) => {
    const home = await opened(address, { addresses: ["http://192.168.1.5:8000", "http://10.0.0.2:8000"] });
    expect(home.address("/t/abc#seat=tok")).toBe("http://192.168.1.5:8000/t/abc#seat=tok");
    expect(home.address(`${location.origin}/t/abc`)).toBe("http://192.168.1.5:8000/t/abc");
    expect(home.alone).toBe(false);
  },
);

test("where there is no such address it is said", async () => {
  const home = await opened("http://localhost:8000/", { addresses: [] });
  expect(home.address("/t/abc")).toBe("http://localhost:8000/t/abc");
  expect(home.alone).toBe(true);
});

test("a server that does not tell leaves the address as it is", async () => {
  const home = await opened("http://localhost:8000/", {});
  expect(home.address("/t/abc")).toBe("http://localhost:8000/t/abc");
  expect(home.alone).toBe(false);
});

test("a page that was opened from elsewhere has the right address already", async () => {
  const home = await opened("https://games.example/", { addresses: ["http://10.0.0.2:8000"] });
  expect(home.address("/t/abc")).toBe("https://games.example/t/abc");
});
