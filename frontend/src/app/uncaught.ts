// Errors that nothing catches: the browser logs them, and the server is told.

import { reportError } from "$core/http/client-errors.ts";

/** Report errors and rejections that nobody handles; the returned function stops it. */
export function reportUncaught(): () => void {
  const thrown = ({ error, message }: ErrorEvent) => reportError(error ?? message);
  const rejected = ({ reason }: PromiseRejectionEvent) => reportError(reason);
  addEventListener("error", thrown);
  addEventListener("unhandledrejection", rejected);
  return () => {
    removeEventListener("error", thrown);
    removeEventListener("unhandledrejection", rejected);
  };
}
