// Before the game: our nonces are committed to and revealed, and seats whose players do not reveal theirs are freed.

import type { Notice } from "$core/http/types.ts";
import { device } from "$core/device/device.svelte.ts";
import { isLostBy } from "$core/tables/seats.ts";
import { advanceStart, type Refusal } from "$core/tables/starting.ts";
import type { TableState } from "./apply-event.ts";
import type { TableFeed } from "./table-feed.svelte.ts";

export class GameStart {
  refusal = $state<Refusal | null>(null); // why this device does not reveal its nonce

  /** Seats that were freed, and are still free. */
  readonly freedSeats: readonly Notice[] = $derived.by(() => {
    const freed = this.feed.rawNotices.filter(({ kind }) => kind === "unrevealed");
    const last = new Map(freed.map((notice) => [notice.seat, notice])); // by seat
    return (this.feed.table?.seats ?? []).flatMap((seat, number, seats) => {
      const notice = seat.taken || seat.level ? undefined : last.get(number);
      const hasOtherSeat = notice?.name && seats.some(({ name }) => name === notice.name);
      return notice && !hasOtherSeat ? [notice] : [];
    });
  });
  /** Seats of this device that were freed, whether they are still free or not. */
  readonly ownFreedSeats: readonly Notice[] = $derived.by(() => {
    const held = device.seats.filter(({ table }) => table === this.id);
    return this.feed.rawNotices.filter((notice) => held.some((seat) => isLostBy(seat, notice)));
  });
  readonly isOwnSeatFreed: boolean = $derived.by(() => this.ownFreedSeats.length > 0);

  private attempts = 0;

  constructor(
    private readonly id: string,
    private readonly feed: TableFeed,
  ) {}

  /** Commit to nonces and reveal them, as far as it is our turn to. */
  async advance(table: TableState): Promise<void> {
    const attempt = ++this.attempts;
    const refusal = table.starting ? await advanceStart(this.id, table) : null;
    if (attempt === this.attempts) this.refusal = refusal; // otherwise a newer table decides
  }
}
