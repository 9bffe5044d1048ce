// Runs before the first paint: without it a dark page would flash white. Keys are those of src/lib/theme.ts,
// src/lib/locale-cookie.ts and src/api/session.ts. Not built: it has to be understood by old browsers, too.
(() => {
  const root = document.documentElement;
  const language = /^(uk|en)$/;
  const cookie = (name) => (`; ${document.cookie}`.split(`; ${name}=`)[1] || "").split(";")[0];
  const keep = (locale) => {
    localStorage.setItem("slovo.locale", locale);
    // biome-ignore lint/suspicious/noDocumentCookie: this runs before anything is drawn, and waits for nothing
    document.cookie = `slovo.locale=${locale}; Path=/; Max-Age=31536000; SameSite=Lax${location.protocol === "https:" ? "; Secure" : ""}`;
  };
  try {
    const theme = localStorage.getItem("slovo.theme");
    const dark = theme === "dark" || (theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
    root.dataset.theme = dark ? "dark" : "light";
    const stored = localStorage.getItem("slovo.locale");
    if ("site" in root.dataset) {
      // The server has written this page. A language that the address asks for is a choice; else an earlier one holds.
      const asked = new URLSearchParams(location.search).get("lang");
      const before = cookie("slovo.locale");
      if (language.test(asked)) {
        keep(asked);
      } else if (language.test(stored) && stored !== root.lang && stored !== before) {
        keep(stored);
        // Once: the cookie is there the next time. Where it cannot be written, the page stays as it is.
        if (cookie("slovo.locale") === stored) location.reload();
      }
      // A session that is not to be remembered ends with the browser, and its cookie tells so.
      const session = JSON.parse(localStorage.getItem("slovo.session"));
      if (session && (session.remember !== false || cookie("slovo.open"))) root.dataset.signedIn = "";
    } else {
      root.lang = (stored || cookie("slovo.locale")) === "en" ? "en" : "uk";
    }
  } catch {
    // Storage may be forbidden; what the page says of itself then stands.
  }
})();
