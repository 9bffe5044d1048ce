import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { readCookie } from "./cookie";
import { storedLocale, storeLocale } from "./locale-cookie";

beforeEach(() => {
  localStorage.clear();
  // biome-ignore lint/suspicious/noDocumentCookie: like the module under test
  document.cookie = "slovo.locale=; Path=/; Max-Age=0";
});

it("stores the language for the application and for the server", () => {
  expect(storedLocale()).toBeNull();
  expect(storeLocale("en")).toBe(true);
  expect(localStorage.getItem("slovo.locale")).toBe("en");
  expect(readCookie("slovo.locale")).toBe("en");
  expect(storedLocale()).toBe("en");
});

it("reads the cookie set by a page without scripts, but prefers local storage", () => {
  storeLocale("en");
  localStorage.clear();
  expect(storedLocale()).toBe("en");
  localStorage.setItem("slovo.locale", "uk");
  expect(storedLocale()).toBe("uk");
  localStorage.setItem("slovo.locale", "xx");
  expect(storedLocale()).toBeNull();
});

it("reports if the cookie cannot be set", () => {
  vi.spyOn(document, "cookie", "get").mockReturnValue("");
  expect(storeLocale("en")).toBe(false);
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
    // biome-ignore lint/security/noGlobalEval: the file is loaded unchanged and is not a module
    globalThis.eval(script);
    return { reloads: reload.mock.calls.length, lang: root.lang, cookie: readCookie("slovo.locale"), root };
  };

  it("stores the language given in the URL of a public page", () => {
    localStorage.setItem("slovo.locale", "uk");
    expect(run("/about?lang=en", "en", true)).toMatchObject({ reloads: 0, lang: "en", cookie: "en" });
    expect(storedLocale()).toBe("en");
  });

  it("reloads a public page in the chosen language, only once", () => {
    localStorage.setItem("slovo.locale", "en");
    expect(run("/about", "uk", true)).toMatchObject({ reloads: 1, cookie: "en" });
    vi.restoreAllMocks();
    expect(run("/about", "uk", true).reloads).toBe(0);
    expect(run("/about", "en", true).reloads).toBe(0);
  });

  it("does not reload if no cookie can be set, or no language was chosen", () => {
    const first = run("/about", "en", true);
    expect([first.reloads, first.cookie || null]).toEqual([0, null]);
    localStorage.setItem("slovo.locale", "en");
    vi.spyOn(document, "cookie", "get").mockReturnValue("");
    expect(run("/about", "uk", true).reloads).toBe(0);
  });

  it("sets the application's language from local storage or the cookie", () => {
    expect(run("/login", "uk", false).lang).toBe("uk");
    storeLocale("en");
    expect(run("/login?lang=uk", "uk", false)).toMatchObject({ reloads: 0, lang: "en" });
    localStorage.clear();
    expect(run("/login", "uk", false).lang).toBe("en");
  });

  it("marks a public page as signed in, unless the session has ended with the browser", () => {
    expect(run("/", "uk", true).root.hasAttribute("data-signed-in")).toBe(false);
    localStorage.setItem("slovo.session", JSON.stringify({ remember: true }));
    expect(run("/", "uk", true).root.hasAttribute("data-signed-in")).toBe(true);
    localStorage.setItem("slovo.session", JSON.stringify({ remember: false }));
    expect(run("/", "uk", true).root.hasAttribute("data-signed-in")).toBe(false);
  });
});
