// A notice when it is one's turn and the page is hidden: of a table whose page is open from that page, at
// once; of all others by asking the server now and then.

import { sound } from "$core/device/sounds.ts";
import { device } from "$core/device/device.svelte.ts";
import { permission } from "$core/device/notification-permission.svelte.ts";
import { acquireLock } from "$core/http/stream-slots.ts";
import { router } from "$core/routing/router.svelte.ts";
import { tablesOn } from "./seats.ts";
import { shelf } from "./game-cards.svelte.ts";
import { t } from "$core/i18n/words.svelte.ts";

const EVERY = 20_000; // ms
const TOLD = "benben.told"; // table id → event number of the last announced turn
const MOST_TOLD = 200;

export interface Turn {
  id: string; // of the table
  game: string;
  position_since: number; // the event that led to the position: what is said later is no new turn
}

const wanted = () => device.settings.notify && permission.now === "granted";

/**
 * It is our turn at a table. Whether its page is seen or not, it is told here; then one notice comes, and
 * one sound, however many tabs know of it, and none if somebody looks at the table.
 */
export function tellTurn({ id, game, position_since }: Turn): void {
  if (!isNew(id, position_since) || !document.hidden) return;
  sound("other");
  if (wanted()) void notify(shelf.title(game), id);
}

/** Whether no tab has told it yet; from now on one has. */
function isNew(id: string, since: number): boolean {
  let told: [string, number][] = [];
  try {
    told = JSON.parse(localStorage.getItem(TOLD) ?? "[]") as typeof told;
    if (told.some(([table, at]) => table === id && at >= since)) return false;
    told = told.filter(([table]) => table !== id).slice(-MOST_TOLD);
    localStorage.setItem(TOLD, JSON.stringify([...told, [id, since]]));
  } catch {
    // Nothing can be kept: then notices of one table replace each other at least.
  }
  return true;
}

/** Notices of all tables, from a tab that is hidden; and none is left of a table that is looked at. */
export function watchTurns(): void {
  let release: (() => void) | null = null; // of several tabs one asks

  async function look(tell: (turn: Turn) => void): Promise<void> {
    if (!document.hidden || !wanted()) {
      release?.();
      release = null;
      return;
    }
    if (navigator.locks && !release && !(release = await acquireLock("benben-turns"))) return;
    try {
      for (const table of await tablesOn()) if (table.your_turn) tell(table);
    } catch {
      // The server does not answer: the next look may.
    }
  }

  function seen(): void {
    const [, page, table] = router.path.split("/");
    if (!document.hidden && page === "t" && table) void clear(table);
  }

  document.addEventListener("visibilitychange", () => {
    seen();
    void look(({ id, position_since }) => void isNew(id, position_since)); // what was there to be seen is known
  });
  seen();
  setInterval(() => void look(tellTurn), EVERY);
}

/** Who takes care of notices when no page does; not everywhere is one allowed. */
async function worker(): Promise<ServiceWorkerRegistration | null> {
  if (!isSecureContext || !("serviceWorker" in navigator)) return null;
  try {
    const registered = await navigator.serviceWorker.register("/sw.js");
    return registered.active ? registered : await navigator.serviceWorker.ready;
  } catch {
    return null;
  }
}

/** One notice a table; it opens the table. */
async function notify(title: string, table: string): Promise<void> {
  const path = `/t/${table}`;
  const about = {
    body: t("status.your-turn"),
    tag: table,
    icon: "/icon-192.png",
    renotify: true,
    data: { path },
  };
  const shown = await (await worker())?.showNotification(title, about).then(
    () => true,
    () => false,
  );
  if (shown) return;
  try {
    const notice = new Notification(title, about); // not on Android
    notice.onclick = () => {
      if (router.path === path) window.focus();
      else window.open(path);
      notice.close();
    };
  } catch {
    // No notice can be shown here.
  }
}

async function clear(table: string): Promise<void> {
  if (!wanted()) return;
  try {
    const notices = await (await worker())?.getNotifications({ tag: table });
    for (const notice of notices ?? []) notice.close();
  } catch {
    // Its owner can dismiss it.
  }
}
