import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { signIn, signOut } from "@/api";
import { session } from "@/api/client";
import { readDraft, storeDraft } from "@/domain/settings/settings-draft";
import "./upload-tray";
import { sessionOf } from "@/api/test-session";

const SESSION = sessionOf({ id: "ann" });
const TUS_KEY = "tus::slovo/ann/6/7/interview.mp3::1";

beforeEach(async () => {
  vi.stubGlobal("fetch", async (request: Request) =>
    request.url.endsWith("/login") ? Response.json(SESSION) : new Response(null, { status: 204 }),
  );
  await signIn({ email: "o@example.org", password: "Слово-2026-слово" }, true);
  storeDraft("ann", { ...readDraft("ann"), custom_vocabulary: "a secret word" });
  localStorage.setItem(TUS_KEY, "{}");
});
afterEach(() => localStorage.clear());

it("keeps the owner's stored data when the session expires", () => {
  session.end("expired");
  expect(readDraft("ann").custom_vocabulary).toBe("a secret word");
  expect(localStorage.getItem(TUS_KEY)).toBe("{}");
});

it("deletes everything at sign-out", async () => {
  await signOut();
  expect(readDraft("ann").custom_vocabulary).toBe("");
  expect(Object.keys(localStorage).filter((key) => key.startsWith("tus::") || key === "slovo.settings")).toEqual([]);
});
