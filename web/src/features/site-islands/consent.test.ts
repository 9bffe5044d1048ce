import { beforeEach, describe, expect, it, vi } from "vitest";
import { readCookie, writeCookie } from "@/lib/cookie";
import { EVERYTHING, NOTHING, readConsent, saveConsent } from "./consent";
import { restoreInput, storeDraft, storeInputForReload } from "./form-input";

const DRAFT = "slovo.contact-draft";
const form = () => document.querySelector<HTMLFormElement>("form") as HTMLFormElement;
const field = (name: string) => form().elements.namedItem(name) as HTMLInputElement;

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  writeCookie("slovo.consent", "", 0);
  document.body.innerHTML = `<form data-island="contact">
    <input name="first_name"><input name="email" type="email"><textarea name="message"></textarea>
    <input name="website"><input type="hidden" name="locale" value="uk"></form>`;
});

it("is empty before a choice, and for an entry of another version", () => {
  expect(readConsent()).toEqual(NOTHING);
  writeCookie("slovo.consent", "2.preferences.statistics", 60);
  expect(readConsent()).toEqual(NOTHING);
});

it.each([
  [NOTHING, "1."],
  [{ preferences: true, statistics: false }, "1.preferences"],
  [{ preferences: false, statistics: true }, "1.statistics"],
  [EVERYTHING, "1.preferences.statistics"],
])("stores %o as %s", (consent, value) => {
  saveConsent(consent);
  expect(readCookie("slovo.consent")).toBe(value);
  expect(readConsent()).toEqual(consent);
});

describe("an unfinished message", () => {
  it("is restored into empty visible fields only", () => {
    field("message").value = "Добрий день";
    field("website").value = "spam";
    storeDraft(form());
    expect(localStorage.getItem(DRAFT)).toBe('{"message":"Добрий день"}');
    field("message").value = "";
    field("first_name").value = "Олена";
    restoreInput(true);
    expect(field("message").value).toBe("Добрий день");
    expect(field("first_name").value).toBe("Олена");
    field("message").value = "newer";
    restoreInput(true);
    expect(field("message").value).toBe("newer");
  });

  it("is deleted when consent is withdrawn or missing", () => {
    field("message").value = "x";
    storeDraft(form());
    saveConsent(EVERYTHING);
    expect(localStorage.getItem(DRAFT)).not.toBeNull();
    saveConsent({ preferences: false, statistics: true });
    expect(localStorage.getItem(DRAFT)).toBeNull();

    storeDraft(form());
    restoreInput(false);
    expect(localStorage.getItem(DRAFT)).toBeNull();
  });

  it("is carried to the page in another language, once, also without consent", () => {
    field("message").value = "Добрий день";
    storeInputForReload();
    field("message").value = "";
    restoreInput(false);
    expect(field("message").value).toBe("Добрий день");
    expect(sessionStorage.length).toBe(0);
  });
});

describe("a visit", () => {
  const sent = vi.fn((_url: string, _body: Blob) => true);

  it("is counted anonymously, with consent only, once per page", async () => {
    vi.stubGlobal("navigator", { sendBeacon: sent });
    history.replaceState(null, "", "/pricing?utm=x#top");
    document.documentElement.lang = "en";
    const { countVisit } = await import("./visit");
    countVisit();
    expect(sent).not.toHaveBeenCalled();
    saveConsent(EVERYTHING);
    countVisit();
    countVisit();
    expect(sent).toHaveBeenCalledOnce();
    const [url, body] = sent.mock.calls[0] ?? [];
    expect(url).toBe("/api/v1/site/visits");
    expect(JSON.parse((await body?.text()) ?? "")).toEqual({ page: "/pricing", locale: "en" });
  });
});
