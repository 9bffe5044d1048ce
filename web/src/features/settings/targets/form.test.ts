import { describe, expect, it } from "vitest";
import type { Target } from "@/api/targets";
import { filledOf, formOf, requestOf } from "./form";

const TARGET: Target = {
  id: "t",
  name: "Нотатки",
  kind: "webdav",
  location: "https://cloud.example.com/dav/",
  user: "olena",
  has_password: true,
  format: "txt",
  group_id: "g",
  is_active: false,
  ran_at: null,
  next_run_at: "2026-05-20T10:00:00Z",
  is_running: false,
  problem: null,
  counts: { waiting: 0, written: 0, foreign: 0, failed: 0 },
  created_at: "2026-05-20T10:00:00Z",
  updated_at: "2026-05-20T10:00:00Z",
};

describe("the form of a target", () => {
  it("begins with Markdown of all texts", () => {
    const { format, group_id, is_active, take_existing } = filledOf(null, "webdav");
    expect({ format, group_id, is_active, take_existing }).toEqual({
      format: "md",
      group_id: null,
      is_active: true,
      take_existing: false,
    });
  });

  it("keeps, changes and removes the password", () => {
    const filled = filledOf(TARGET, "webdav");
    expect(requestOf(filled)).toEqual({ ...formOf(TARGET), take_existing: false, password: null });
    expect(requestOf({ ...filled, password: "new" }).password).toBe("new");
    expect(requestOf({ ...filled, removesPassword: true }).password).toBe("");
  });
});
