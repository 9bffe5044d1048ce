// Runs before the first paint, so that a dark page does not flash white. Uses the keys of src/lib/theme.ts,
// src/lib/locale-cookie.ts and src/api/session.ts. Not built, because it must run in old browsers, too.
(() => {
  const root = document.documentElement;
  const language = /^(uk|en)$/;
  const cookie = (name) => (`; ${document.cookie}`.split(`; ${name}=`)[1] || "").split(";")[0];
  const keep = (locale) => {
    localStorage.setItem("slovo.locale", locale);
    // biome-ignore lint/suspicious/noDocumentCookie: this must be synchronous, before the first paint
    document.cookie = `slovo.locale=${locale}; Path=/; Max-Age=31536000; SameSite=Lax${location.protocol === "https:" ? "; Secure" : ""}`;
  };
  try {
    const theme = localStorage.getItem("slovo.theme");
    const dark = theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
    root.dataset.theme = dark ? "dark" : "light";
    const stored = localStorage.getItem("slovo.locale");
    if ("site" in root.dataset) {
      // A page rendered by the server. A language in the URL counts as a choice; otherwise an earlier choice applies.
      const asked = new URLSearchParams(location.search).get("lang");
      const before = cookie("slovo.locale");
      if (language.test(asked)) {
        keep(asked);
      } else if (language.test(stored) && stored !== root.lang && stored !== before) {
        keep(stored);
        // Reloads once, because the cookie is then set. If it cannot be set, the page is not reloaded.
        if (cookie("slovo.locale") === stored) location.reload();
      }
      // A session that is not remembered ends with the browser, which deletes its cookie.
      const session = JSON.parse(localStorage.getItem("slovo.session"));
      if (session && (session.remember !== false || cookie("slovo.open"))) root.dataset.signedIn = "";
    } else {
      root.lang = (stored || cookie("slovo.locale")) === "en" ? "en" : "uk";
    }
  } catch {
    // Storage may be forbidden; then the page's own attributes are kept.
  }
})();
