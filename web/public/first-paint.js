// Runs before the first paint: without it a dark page would flash white. Keys are those of src/lib/theme.ts and src/lib/i18n.ts.
(() => {
  try {
    const theme = localStorage.getItem("slovo.theme");
    const dark = theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
    document.documentElement.dataset.theme = dark ? "dark" : "light";
    document.documentElement.lang = localStorage.getItem("slovo.locale") === "en" ? "en" : "uk";
  } catch {
    // Storage may be forbidden; the defaults of index.html then stand.
  }
})();
