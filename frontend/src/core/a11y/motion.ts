// Whether motion is unwelcome: then things are simply there.

import { prefersReducedMotion } from "svelte/motion";

export function reducedMotion(): boolean {
  return prefersReducedMotion.current;
}
