import { expect, it } from "vitest";
import { createPlayerPreferences } from "./player-preferences";
import { MemoryStorage } from "./test-storage";

it("stores the choices", () => {
  const storage = new MemoryStorage();
  createPlayerPreferences(storage).getState().prefer({ rate: 1.5, stepBack: 3 });
  expect(createPlayerPreferences(storage).getState()).toMatchObject({ rate: 1.5, stepBack: 3, pauseWhileTyping: false });
});

it.each([
  "",
  "no json",
  "null",
  "[]",
  '"text"',
  '{"rate":99,"stepBack":"1","letterKeys":1,"videoFolded":null,"captions":0,"detailsHidden":"no"}',
])("ignores %j", (stored) => {
  const storage = new MemoryStorage();
  storage.setItem("slovo.player", stored);
  expect(createPlayerPreferences(storage).getState()).toMatchObject({
    rate: 1,
    stepBack: 1,
    pauseWhileTyping: false,
    letterKeys: true,
    videoFolded: false,
    captions: true,
    detailsHidden: false,
  });
});

it("works without storage", () => {
  const storage = new MemoryStorage();
  storage.setItem = () => {
    throw new DOMException("full", "QuotaExceededError");
  };
  const preferences = createPlayerPreferences(storage);
  preferences.getState().prefer({ rate: 2 });
  expect(preferences.getState().rate).toBe(2);
});
