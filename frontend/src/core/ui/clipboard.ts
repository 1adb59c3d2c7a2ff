// Putting a text where it can be pasted from.

/** Whether the text of a field was copied; if not, it is selected. Pages without https have no clipboard. */
export async function copied(field: HTMLInputElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(field.value);
    return true;
  } catch {
    const before = document.activeElement;
    field.focus();
    field.setSelectionRange(0, field.value.length);
    const done = document.execCommand("copy"); // old, and the only way there
    if (done && before instanceof HTMLElement) before.focus();
    return done;
  }
}
