// The gradient on tokens. Every board on a page has its own: one that is hidden would take it away from all.

import { createContext } from "svelte";

export const [glazeId, setGlazeId] = createContext<string>();
