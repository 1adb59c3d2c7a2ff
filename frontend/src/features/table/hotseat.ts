// Several people on one device: who of them sits in front of it.

export interface Front {
  seat: number | null; // the seat through whose eyes we look; none: anybody's
  side: number | null; // whose side of the board is at the bottom
  curtain: number | null; // the seat that is asked to take the device
}

export const NOBODY: Front = { seat: null, side: null, curtain: null };

export interface Turn {
  shown: boolean; // everything that has happened: before that nobody changes places
  toMove: number | null;
  local: readonly number[]; // the seats on this device
  secrets: boolean; // players see different things
}

/** Who sits in front when somebody's turn has come. */
export function inFront(now: Front, { shown, toMove, local, secrets }: Turn): Front {
  if (!shown || (toMove !== null && (toMove === now.seat || toMove === now.curtain))) return now;
  if (toMove === null || !local.includes(toMove)) {
    return now.seat === null && now.curtain === null ? now : { ...now, seat: null, curtain: null };
  }
  if (secrets) return { ...now, seat: null, curtain: toMove };
  return { seat: toMove, side: toMove, curtain: null };
}

/** The person the curtain asks for has the device now. */
export function lifted({ curtain }: Front): Front {
  return { seat: curtain, side: curtain, curtain: null };
}
