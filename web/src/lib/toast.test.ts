import { toast as library } from "sonner";
import { afterEach, expect, it, vi } from "vitest";

const visibleTitles = () => library.getToasts().map((item) => ("title" in item ? item.title : ""));

/** A fresh module, as in a page that was just opened. */
async function open() {
  vi.resetModules();
  return await import("./toast");
}

afterEach(() => void library.dismiss());

it("dismisses the reason why a form was not sent, but never an undo", async () => {
  const { toast, showToastsWith } = await open();
  showToastsWith(library);
  toast.undoable("Deleted", "Undo", () => {});
  toast.refusal("Please agree");
  toast.refusal("Please agree to the terms");
  expect(visibleTitles().sort()).toEqual(["Deleted", "Please agree to the terms"]);
  toast.dismissRefusal();
  expect(visibleTitles()).toEqual(["Deleted"]);
  toast.dismissAll();
  expect(visibleTitles()).toEqual([]);
});

it("queues messages until the library is loaded, and notifies the listener", async () => {
  const { toast, onToastQueued, showToastsWith } = await open();
  const onQueued = vi.fn();
  onToastQueued(onQueued);
  toast.success("Saved");
  toast.refusal("Please agree");
  toast.refusal("Please agree to the terms");
  const undo = toast.undoable("Deleted", "Undo", () => {});
  toast.dismiss(undo);
  expect(onQueued).toHaveBeenCalled();
  expect(visibleTitles()).toEqual([]);
  showToastsWith(library);
  expect(visibleTitles().sort()).toEqual(["Please agree to the terms", "Saved"]);
});

it("does not show one user's messages to the next user", async () => {
  const { toast, showToastsWith } = await open();
  toast.success("Saved");
  toast.dismissAll();
  showToastsWith(library);
  expect(visibleTitles()).toEqual([]);
});
