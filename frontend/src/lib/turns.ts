// A notice when it is one's turn. While a page is hidden its stream is closed, so whoever wants
// notices has the house asked now and then.

import { mine } from "./api.ts";
import { device } from "./device.svelte.ts";
import { shelf } from "./shelf.svelte.ts";
import { t } from "./words.svelte.ts";

const EVERY = 20_000; // ms

export function watchTurns(): void {
  const known = new Map<string, number>(); // by table, the event since which we know it is our turn
  const wanted = () =>
    document.hidden && device.settings.notify && "Notification" in window && Notification.permission === "granted";

  async function look(quiet: boolean): Promise<void> {
    if (!wanted() || device.seats.length === 0) return;
    try {
      for (const { id, game, number, your_turn } of await mine(device.seats.map((seat) => seat.token))) {
        if (!your_turn || known.get(id) === number) continue;
        known.set(id, number);
        if (!quiet) notify(shelf.title(game), id);
      }
    } catch {
      // The house does not answer: the next look may.
    }
  }

  document.addEventListener("visibilitychange", () => void look(true)); // what is on the page is known
  setInterval(() => void look(false), EVERY);
}

/** One notice a table, however many tabs are open. */
function notify(title: string, table: string): void {
  const notice = new Notification(title, { body: t("status.your-turn"), tag: table, icon: "/icon-192.png" });
  notice.onclick = () => {
    window.focus();
    notice.close();
  };
}
