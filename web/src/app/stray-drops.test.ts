import { afterEach, beforeEach, expect, it } from "vitest";
import { forbidStrayDrops } from "./stray-drops";

let stop = () => {};
beforeEach(() => {
  stop = forbidStrayDrops(window);
});
afterEach(() => stop());

/** The event while `types` are dragged over the page or dropped on it. */
function send(name: "dragover" | "drop", types: string[]) {
  const event = new Event(name, { bubbles: true, cancelable: true });
  const dataTransfer = { types, dropEffect: "copy" };
  Object.defineProperty(event, "dataTransfer", { value: dataTransfer });
  document.body.dispatchEvent(event);
  return { prevented: event.defaultPrevented, effect: dataTransfer.dropEffect };
}

it("prevents the browser from opening a file", () => {
  expect(send("dragover", ["Files"])).toEqual({ prevented: true, effect: "none" });
  expect(send("drop", ["Files"]).prevented).toBe(true);
});

it("ignores dragged text", () => {
  expect(send("dragover", ["text/plain"])).toEqual({ prevented: false, effect: "copy" });
  expect(send("drop", ["text/plain"]).prevented).toBe(false);
});

it("does not override a drop zone's effect", () => {
  const wants = (event: Event) => event.preventDefault();
  document.body.addEventListener("dragover", wants);
  expect(send("dragover", ["Files"])).toEqual({ prevented: true, effect: "copy" });
  document.body.removeEventListener("dragover", wants);
});
