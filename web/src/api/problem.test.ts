import { describe, expect, it } from "vitest";
import en from "@/locales/en/problems.json";
import uk from "@/locales/uk/problems.json";
import { ApiError, type ErrorCode, errorFromFailedFetch, errorFromResponse } from "./problem";

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(typeof body === "string" ? body : JSON.stringify(body), { status, headers });

describe("errors from responses", () => {
  it("contain all fields of a problem document", async () => {
    const violation = { field: "email", code: "email_invalid", params: {} };
    const error = await errorFromResponse(
      answer(
        422,
        {
          type: "about:blank",
          title: "Invalid",
          status: 422,
          code: "validation_failed",
          request_id: "r1",
          errors: [violation],
          params: { a: 1 },
        },
        { "content-type": "application/problem+json" },
      ),
    );
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 422,
      code: "validation_failed",
      requestId: "r1",
      violations: [violation],
      params: { a: 1 },
    });
    expect(error.retryable).toBe(false);
  });

  it("contain the time to wait", async () => {
    const headers = { "content-type": "application/problem+json", "retry-after": "17" };
    const error = await errorFromResponse(answer(429, { code: "rate_limited" }, headers));
    expect(error).toMatchObject({ code: "rate_limited", retryAfter: 17, retryable: true });
  });

  it.each([
    [502, "unavailable", true],
    [413, "body_too_large", false],
    [401, "unauthorized", false],
    [404, "not_found", false],
    [500, "internal", false],
    [418, "unreadable_answer", false],
  ])("are derived from a proxy's %i page", async (status, code, retryable) => {
    const error = await errorFromResponse(answer(status, "<h1>nginx</h1>", { "content-type": "text/html" }));
    expect(error).toMatchObject({ status, code, retryable });
  });

  it.each(["", "{", "null", '"text"'])("survives a problem document that is none: %j", async (body) => {
    const error = await errorFromResponse(answer(500, body, { "content-type": "application/problem+json" }));
    expect(error).toMatchObject({ status: 500, code: "internal", violations: [] });
  });
});

describe("requests without a response", () => {
  it("are network errors", () => {
    expect(errorFromFailedFetch(new TypeError("Failed to fetch"))).toMatchObject({ status: 0, code: "network", retryable: true });
  });

  it("stay aborts if they were aborted", () => {
    const abort = new DOMException("stopped", "AbortError");
    expect(errorFromFailedFetch(abort)).toBe(abort);
  });
});

it("has a text for every code in both languages", () => {
  // A code without one does not compile. Those of files have the texts of failed jobs.
  const texts: readonly Record<ErrorCode, string>[] = [
    { ...uk.job, ...uk.codes },
    { ...en.job, ...en.codes },
  ];
  for (const text of texts) expect(text.network).not.toBe("");
});
