import { toast as library } from "sonner";
import { afterEach, expect, it } from "vitest";
import { toast } from "./toast";

const shown = () => library.getToasts().map((one) => ("title" in one ? one.title : ""));

afterEach(() => toast.dismissAll());

it("takes away why a form was not sent, and never the chance to undo", () => {
  toast.undoable("Deleted", "Undo", () => {});
  toast.refusal("Please agree");
  toast.refusal("Please agree to the terms");
  expect(shown().sort()).toEqual(["Deleted", "Please agree to the terms"]);
  toast.dismissRefusal();
  expect(shown()).toEqual(["Deleted"]);
  toast.dismissAll();
  expect(shown()).toEqual([]);
});
