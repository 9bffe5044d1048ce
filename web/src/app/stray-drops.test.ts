import { afterEach, beforeEach, expect, it } from "vitest";
import { forbidStrayDrops } from "./stray-drops";

let stop = () => {};
beforeEach(() => {
  stop = forbidStrayDrops(window);
});
afterEach(() => stop());

/** What a browser sends while `types` are dragged over the page or dropped on it. */
function send(name: "dragover" | "drop", types: string[]) {
  const event = new Event(name, { bubbles: true, cancelable: true });
  const dataTransfer = { types, dropEffect: "copy" };
  Object.defineProperty(event, "dataTransfer", { value: dataTransfer });
  document.body.dispatchEvent(event);
  return { prevented: event.defaultPrevented, effect: dataTransfer.dropEffect };
}

it("keeps the browser from opening a file", () => {
  expect(send("dragover", ["Files"])).toEqual({ prevented: true, effect: "none" });
  expect(send("drop", ["Files"]).prevented).toBe(true);
});

it("leaves dragged text alone", () => {
  expect(send("dragover", ["text/plain"])).toEqual({ prevented: false, effect: "copy" });
  expect(send("drop", ["text/plain"]).prevented).toBe(false);
});

it("does not speak against a page that wants the file", () => {
  const wants = (event: Event) => event.preventDefault();
  document.body.addEventListener("dragover", wants);
  expect(send("dragover", ["Files"])).toEqual({ prevented: true, effect: "copy" });
  document.body.removeEventListener("dragover", wants);
});
