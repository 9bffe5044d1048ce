import { beforeEach, expect, it } from "vitest";
import { googleNote, keepGoogleNote, placeAfterGoogle } from "./google-note";

beforeEach(() => sessionStorage.clear());

it("brings back what the button was pressed with", () => {
  const note = { intent: "signup", remember: true, from: "/upload", user: "a" } as const;
  keepGoogleNote(note);
  expect(googleNote()).toEqual(note);
});

it.each([null, "", "{", "null", "7", '{"intent":"x","remember":"yes","from":"//evil.example"}'])(
  "is a sign-in of this browser's session without a note: %s",
  (text) => {
    if (text !== null) sessionStorage.setItem("slovo.google", text);
    expect(googleNote()).toEqual({ intent: "login", remember: false });
  },
);

it("leads a sign-up to the dashboard, and a sign-in to where the same user wanted to go", () => {
  const login = { intent: "login", remember: true } as const;
  expect(placeAfterGoogle({ intent: "signup", remember: true, from: "/upload" }, "a")).toBe("/dashboard");
  expect(placeAfterGoogle(login, "a")).toBe("/success");
  const from = "/subscription?plan=0197f3a0-0000-7000-8000-000000000000";
  expect(placeAfterGoogle({ intent: "signup", remember: true, from }, "a")).toBe(from);
  expect(placeAfterGoogle({ ...login, from: "/upload", user: "a" }, "a")).toBe("/upload");
  expect(placeAfterGoogle({ ...login, from: "/upload", user: "b" }, "a")).toBe("/success");
});
