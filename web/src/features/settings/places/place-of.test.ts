import { describe, expect, it } from "vitest";
import { losesPassword, placeOf } from "./place-of";

describe("a place", () => {
  it("is shown without the query of its address", () => {
    expect(placeOf({ kind: "podcast", location: "https://example.com/a%20b.xml?token=secret" })).toBe("example.com/a b.xml");
    expect(placeOf({ kind: "webdav", location: "https://example.com/%E0%A4%A" })).toBe("example.com/%E0%A4%A");
    expect(placeOf({ kind: "folder", location: "/srv/a?b" })).toBe("/srv/a?b");
  });

  it("loses its password on another server", () => {
    const stored = { has_password: true, location: "https://cloud.example.com/dav/" };
    expect(losesPassword(stored, "https://cloud.example.com/other/")).toBe(false);
    expect(losesPassword(stored, " https://CLOUD.example.com/dav/ ")).toBe(false);
    expect(losesPassword(stored, "http://cloud.example.com/dav/")).toBe(true);
    expect(losesPassword(stored, "https://cloud.example.com:8443/dav/")).toBe(true);
    expect(losesPassword({ ...stored, has_password: false }, "https://other.example.com/")).toBe(false);
    expect(losesPassword(null, "https://other.example.com/")).toBe(false);
  });
});
