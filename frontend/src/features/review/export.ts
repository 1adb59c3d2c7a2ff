// Files to keep of a review, made in the page.

import { SIZE, type Colours } from "./picture.ts";

const SHARP = 2; // pixels of a picture for each of its units

/** The page's own colours of this moment. */
export function coloursHere(seats: number): Colours {
  const probe = document.createElement("span");
  document.body.append(probe);
  const resolved = (name: string) => {
    probe.style.color = `var(--${name})`;
    return getComputedStyle(probe).color;
  };
  const found = {
    ground: resolved("raised"),
    text: resolved("text"),
    soft: resolved("soft"),
    line: resolved("line"),
    seats: Array.from({ length: seats }, (_, seat) => resolved(`seat-${seat + 1}`)),
  };
  probe.remove();
  return found;
}

/** The same picture in pixels. */
export async function pixels(svg: string): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = SIZE.width * SHARP;
    canvas.height = SIZE.height * SHARP;
    canvas.getContext("2d")!.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done, failed) =>
      canvas.toBlob((made) => (made ? done(made) : failed(new Error("no picture"))), "image/png"),
    );
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Have the browser keep something as a file. */
export function keep(what: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(what);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000); // some browsers begin late
}
