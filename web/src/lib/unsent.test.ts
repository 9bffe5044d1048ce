import { beforeEach, expect, it } from "vitest";
import { countUnsent, setUnsentCount, unsent } from "./unsent";

beforeEach(() => {
  localStorage.clear();
  unsent.setState({ open: new Map() });
});

const count = () => countUnsent(localStorage, "anna", unsent.getState());

it("counts changes of open texts and stored ones of other texts", () => {
  localStorage.setItem("slovo.edits.anna.job-1.tab-a", JSON.stringify({ queue: [{}, {}], conflicts: [] }));
  localStorage.setItem("slovo.edits.anna.job-1.tab-a.draft", JSON.stringify({ text: "…" }));
  localStorage.setItem("slovo.edits.anna.job-2.tab-b", JSON.stringify({ queue: [{}], conflicts: [{}] }));
  localStorage.setItem("slovo.edits.boris.job-3.tab-c", JSON.stringify({ queue: [{}] }));
  localStorage.setItem("slovo.theme", "dark");
  expect(count()).toBe(4);
  // The count of an open text replaces what is stored for it.
  setUnsentCount("job-1", 1);
  expect(count()).toBe(2);
  setUnsentCount("job-1", 0);
  expect(count()).toBe(1);
  setUnsentCount("job-1", null);
  expect(count()).toBe(4);
});

it.each(["", "no json", "null", "[]", '{"queue":1}'])("ignores %j", (stored) => {
  localStorage.setItem("slovo.edits.anna.job-1.tab-a", stored);
  expect(count()).toBe(0);
});

it("does not notify subscribers if nothing has changed", () => {
  let calls = 0;
  const stop = unsent.subscribe(() => {
    calls += 1;
  });
  setUnsentCount("job-1", 2);
  setUnsentCount("job-1", 2);
  setUnsentCount("job-2", null);
  stop();
  expect(calls).toBe(1);
});
