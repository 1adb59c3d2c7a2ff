// Runs before the first paint, so that a dark page is never light first. A file of its own: the content
// security policy allows no script within the page.
(function () {
  let theme = "";
  try {
    theme = JSON.parse(localStorage.getItem("benben.settings") ?? "{}").theme;
  } catch {
    // Nothing is stored, or nothing may be read: then as the system says.
  }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = theme || (dark ? "dark" : "light");
})();
