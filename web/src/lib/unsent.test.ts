import { beforeEach, expect, it } from "vitest";
import { countUnsent, setUnsentCount, unsent } from "./unsent";

beforeEach(() => {
  localStorage.clear();
  unsent.setState({ open: new Map() });
});

const count = () => countUnsent(localStorage, "anna", unsent.getState());

it("counts what open texts tell, and what others left behind", () => {
  localStorage.setItem("slovo.edits.anna.job-1.tab-a", JSON.stringify({ queue: [{}, {}], conflicts: [] }));
  localStorage.setItem("slovo.edits.anna.job-1.tab-a.draft", JSON.stringify({ text: "…" }));
  localStorage.setItem("slovo.edits.anna.job-2.tab-b", JSON.stringify({ queue: [{}], conflicts: [{}] }));
  localStorage.setItem("slovo.edits.boris.job-3.tab-c", JSON.stringify({ queue: [{}] }));
  localStorage.setItem("slovo.theme", "dark");
  expect(count()).toBe(4);
  // The open text knows better than its shelf what still waits.
  setUnsentCount("job-1", 1);
  expect(count()).toBe(2);
  setUnsentCount("job-1", 0);
  expect(count()).toBe(1);
  setUnsentCount("job-1", null);
  expect(count()).toBe(4);
});

it.each(["", "no json", "null", "[]", '{"queue":1}'])("takes %j for nothing", (kept) => {
  localStorage.setItem("slovo.edits.anna.job-1.tab-a", kept);
  expect(count()).toBe(0);
});

it("wakes nobody when nothing has changed", () => {
  let told = 0;
  const stop = unsent.subscribe(() => {
    told += 1;
  });
  setUnsentCount("job-1", 2);
  setUnsentCount("job-1", 2);
  setUnsentCount("job-2", null);
  stop();
  expect(told).toBe(1);
});
