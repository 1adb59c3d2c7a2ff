// Whether this device can be felt: browsers on desktops know the word, and do nothing.

export function canVibrate(): boolean {
  return "vibrate" in navigator && matchMedia("(pointer: coarse)").matches;
}
