import { toast as library } from "sonner";
import { afterEach, expect, it, vi } from "vitest";

const shown = () => library.getToasts().map((one) => ("title" in one ? one.title : ""));

/** As a page has it that has just been opened. */
async function open() {
  vi.resetModules();
  return await import("./toast");
}

afterEach(() => void library.dismiss());

it("takes away why a form was not sent, and never the chance to undo", async () => {
  const { toast, showToastsWith } = await open();
  showToastsWith(library);
  toast.undoable("Deleted", "Undo", () => {});
  toast.refusal("Please agree");
  toast.refusal("Please agree to the terms");
  expect(shown().sort()).toEqual(["Deleted", "Please agree to the terms"]);
  toast.dismissRefusal();
  expect(shown()).toEqual(["Deleted"]);
  toast.dismissAll();
  expect(shown()).toEqual([]);
});

it("keeps what is said before it can be shown, and asks for the place to show it", async () => {
  const { toast, onToastQueued, showToastsWith } = await open();
  const asked = vi.fn();
  onToastQueued(asked);
  toast.success("Saved");
  toast.refusal("Please agree");
  toast.refusal("Please agree to the terms");
  const undo = toast.undoable("Deleted", "Undo", () => {});
  toast.dismiss(undo);
  expect(asked).toHaveBeenCalled();
  expect(shown()).toEqual([]);
  showToastsWith(library);
  expect(shown().sort()).toEqual(["Please agree to the terms", "Saved"]);
});

it("shows nothing of one user to the next", async () => {
  const { toast, showToastsWith } = await open();
  toast.success("Saved");
  toast.dismissAll();
  showToastsWith(library);
  expect(shown()).toEqual([]);
});
