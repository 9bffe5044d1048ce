import { expect, it } from "vitest";
import { replyTo } from "./reply";

it("quotes the message", () => {
  const link = new URL(replyTo({ email: "a@example.com", message: "Раз\nдва" }, "Re: Slovo"));
  expect(decodeURIComponent(link.pathname)).toBe("a@example.com");
  expect(link.searchParams.get("subject")).toBe("Re: Slovo");
  expect(link.searchParams.get("body")).toBe("\r\n\r\n> Раз\r\n> два");
});

it("prevents injection of recipients and headers", () => {
  const link = replyTo({ email: "a@example.com?bcc=b@example.com&x=", message: "&cc=c@example.com#" }, "s");
  expect(link.match(/[?]/g)).toHaveLength(1);
  expect([...new URL(link).searchParams.keys()]).toEqual(["subject", "body"]);
});

it("has a limited length, and does not split characters", () => {
  const { searchParams } = new URL(replyTo({ email: "a@example.com", message: "🎙".repeat(3000) }, "s"));
  expect([...(searchParams.get("body") ?? "")].filter((letter) => letter === "🎙")).toHaveLength(1500);
});
