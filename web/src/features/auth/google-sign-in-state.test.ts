import { beforeEach, expect, it } from "vitest";
import { pathAfterGoogleSignIn, storedGoogleSignIn, storeGoogleSignIn } from "./google-sign-in-state";

beforeEach(() => sessionStorage.clear());

it("restores the stored state", () => {
  const note = { intent: "signup", remember: true, from: "/upload", user: "a" } as const;
  storeGoogleSignIn(note);
  expect(storedGoogleSignIn()).toEqual(note);
});

it.each([null, "", "{", "null", "7", '{"intent":"x","remember":"yes","from":"//evil.example"}'])(
  "is a sign-in until the browser closes for an invalid state: %s",
  (text) => {
    if (text !== null) sessionStorage.setItem("slovo.google", text);
    expect(storedGoogleSignIn()).toEqual({ intent: "login", remember: false });
  },
);

it("continues to the dashboard after sign-up, and to the user's requested page after sign-in", () => {
  const login = { intent: "login", remember: true } as const;
  const ann = { id: "a", terms_accepted: true };
  expect(pathAfterGoogleSignIn({ intent: "signup", remember: true, from: "/upload" }, ann)).toBe("/dashboard");
  expect(pathAfterGoogleSignIn(login, ann)).toBe("/success");
  const from = "/subscription?plan=0197f3a0-0000-7000-8000-000000000000";
  expect(pathAfterGoogleSignIn({ intent: "signup", remember: true, from }, ann)).toBe(from);
  expect(pathAfterGoogleSignIn({ ...login, from: "/upload", user: "a" }, ann)).toBe("/upload");
  expect(pathAfterGoogleSignIn({ ...login, from: "/upload", user: "b" }, ann)).toBe("/success");
});

it("continues to the profile if the terms have not been accepted", () => {
  const newcomer = { id: "a", terms_accepted: false };
  expect(pathAfterGoogleSignIn({ intent: "signup", remember: true }, newcomer)).toBe("/profile");
  expect(pathAfterGoogleSignIn({ intent: "login", remember: true, from: "/upload", user: "a" }, newcomer)).toBe("/profile");
});
