// Several people on one device: which of their seats is in front of it.

export interface ActiveSeat {
  seat: number | null; // the seat through whose eyes the table is seen; null: a spectator's
  side: number | null; // the seat at the bottom of the board
  curtain: number | null; // the seat whose player is asked to take the device
}

export const NO_SEAT: ActiveSeat = { seat: null, side: null, curtain: null };

export interface Turn {
  caughtUp: boolean; // the board shows the present: nobody changes places before
  toMove: number | null;
  local: readonly number[]; // the seats on this device
  secrets: boolean; // players see different things
}

/** The active seat when it is somebody's turn. */
export function nextActiveSeat(now: ActiveSeat, { caughtUp, toMove, local, secrets }: Turn): ActiveSeat {
  if (!caughtUp || (toMove !== null && (toMove === now.seat || toMove === now.curtain))) return now;
  if (toMove === null || !local.includes(toMove)) {
    return now.seat === null && now.curtain === null ? now : { ...now, seat: null, curtain: null };
  }
  if (secrets) return { ...now, seat: null, curtain: toMove };
  return { seat: toMove, side: toMove, curtain: null };
}

/** The player that the curtain asks for has the device now. */
export function afterCurtain({ curtain }: ActiveSeat): ActiveSeat {
  return { seat: curtain, side: curtain, curtain: null };
}
