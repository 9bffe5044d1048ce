import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { readCookie } from "./cookie";
import { keepLocale, storedLocale } from "./locale-cookie";

beforeEach(() => {
  localStorage.clear();
  // biome-ignore lint/suspicious/noDocumentCookie: as the module under test does
  document.cookie = "slovo.locale=; Path=/; Max-Age=0";
});

it("keeps the language for both sides", () => {
  expect(storedLocale()).toBeNull();
  expect(keepLocale("en")).toBe(true);
  expect(localStorage.getItem("slovo.locale")).toBe("en");
  expect(readCookie("slovo.locale")).toBe("en");
  expect(storedLocale()).toBe("en");
});

it("finds what a page without scripts has left in the cookie, but an own choice first", () => {
  keepLocale("en");
  localStorage.clear();
  expect(storedLocale()).toBe("en");
  localStorage.setItem("slovo.locale", "uk");
  expect(storedLocale()).toBe("uk");
  localStorage.setItem("slovo.locale", "xx");
  expect(storedLocale()).toBeNull();
});

it("tells where the server will not hear of it", () => {
  vi.spyOn(document, "cookie", "get").mockReturnValue("");
  expect(keepLocale("en")).toBe(false);
});

describe("before the first paint", () => {
  const script = readFileSync("public/first-paint.js", "utf8");
  const run = (address: string, lang: string, site: boolean) => {
    history.replaceState(null, "", address);
    const root = document.documentElement;
    root.removeAttribute("data-signed-in");
    root.lang = lang;
    root.toggleAttribute("data-site", site);
    const reload = vi.spyOn(location, "reload").mockReturnValue();
    // biome-ignore lint/security/noGlobalEval: the file is loaded as it is, and not a module
    globalThis.eval(script);
    return { reloads: reload.mock.calls.length, lang: root.lang, cookie: readCookie("slovo.locale"), root };
  };

  it("keeps a language that the address of a public page asks for", () => {
    localStorage.setItem("slovo.locale", "uk");
    expect(run("/about?lang=en", "en", true)).toMatchObject({ reloads: 0, lang: "en", cookie: "en" });
    expect(storedLocale()).toBe("en");
  });

  it("asks for a public page once more in the language that was chosen, once", () => {
    localStorage.setItem("slovo.locale", "en");
    expect(run("/about", "uk", true)).toMatchObject({ reloads: 1, cookie: "en" });
    vi.restoreAllMocks();
    expect(run("/about", "uk", true).reloads).toBe(0);
    expect(run("/about", "en", true).reloads).toBe(0);
  });

  it("stays where no cookie can be written, or nothing was chosen", () => {
    const first = run("/about", "en", true);
    expect([first.reloads, first.cookie || null]).toEqual([0, null]);
    localStorage.setItem("slovo.locale", "en");
    vi.spyOn(document, "cookie", "get").mockReturnValue("");
    expect(run("/about", "uk", true).reloads).toBe(0);
  });

  it("gives the application its language from either place", () => {
    expect(run("/login", "uk", false).lang).toBe("uk");
    keepLocale("en");
    expect(run("/login?lang=uk", "uk", false)).toMatchObject({ reloads: 0, lang: "en" });
    localStorage.clear();
    expect(run("/login", "uk", false).lang).toBe("en");
  });

  it("tells a public page who is signed in, and whose session ended with the browser", () => {
    expect(run("/", "uk", true).root.hasAttribute("data-signed-in")).toBe(false);
    localStorage.setItem("slovo.session", JSON.stringify({ remember: true }));
    expect(run("/", "uk", true).root.hasAttribute("data-signed-in")).toBe(true);
    localStorage.setItem("slovo.session", JSON.stringify({ remember: false }));
    expect(run("/", "uk", true).root.hasAttribute("data-signed-in")).toBe(false);
  });
});
