// What makes `Failing.svelte` fail.

export const failing = $state({ onRender: false, later: false, message: "broken" });
