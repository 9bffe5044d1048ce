import { describe, expect, it } from "vitest";
import type { Source } from "@/api/sources";
import { asksForExisting, filledOf, formOf, requestOf } from "./form";

const SOURCE: Source = {
  id: "s",
  name: "Хмара",
  kind: "webdav",
  location: "https://cloud.example.com/dav/",
  region: "",
  user: "olena",
  has_password: true,
  preset_id: "p",
  preset_name: "Лекції",
  is_active: true,
  take_existing: true,
  checked_at: null,
  next_check_at: "2026-05-20T10:00:00Z",
  is_checking: false,
  problem: null,
  counts: { skipped: 0, waiting: 0, started: 0, failed: 0 },
  created_at: "2026-05-20T10:00:00Z",
  updated_at: "2026-05-20T10:00:00Z",
};

describe("the form of a source", () => {
  it("keeps the stored password unless another is entered or it is removed", () => {
    const filled = filledOf(SOURCE, "podcast");
    expect(filled.kind).toBe("webdav");
    expect(requestOf(filled)).toEqual({ ...formOf(SOURCE), password: null });
    // What was chosen for the first look stays, also if the source is paused or its password mended before it.
    expect(requestOf(filled).take_existing).toBe(true);
    expect(requestOf({ ...filled, password: "new" }).password).toBe("new");
    expect(requestOf({ ...filled, removesPassword: true }).password).toBe("");
    expect(requestOf({ ...filled, removesPassword: true, password: "new" }).password).toBe("new");
  });

  it("asks about what is there already only where that is unknown", () => {
    const filled = filledOf(SOURCE, "webdav");
    expect(asksForExisting(null, filled)).toBe(true);
    expect(asksForExisting(SOURCE, filled)).toBe(false);
    expect(asksForExisting(SOURCE, { ...filled, location: `${SOURCE.location}2026/` })).toBe(true);
  });
});
