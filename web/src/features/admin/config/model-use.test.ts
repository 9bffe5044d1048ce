import { expect, it } from "vitest";
import type { ManagedModel } from "@/api/admin-config";
import { modesFor } from "./model-use";

const model = (part: Partial<ManagedModel>) =>
  ({ kind: "speech", state: "installed", multilingual: true, used_by: [], task: null, ...part }) as ManagedModel;

it.each([
  [model({}), ["full", "lite"]],
  [model({ used_by: ["full"] }), ["lite"]],
  [model({ multilingual: false }), ["lite"]],
  [model({ state: "missing" }), []],
  [model({ kind: "sentences" }), []],
])("offers modes that the model supports and is not used for", (managed, modes) => {
  expect(modesFor(managed)).toEqual(modes);
});
