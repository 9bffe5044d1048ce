import { beforeEach, describe, expect, it, vi } from "vitest";
import { api, apiFetch, call, session } from "./client";
import { ApiError } from "./problem";
import type { Session } from "./schema";
import { SESSION } from "./test-session";

const issue = (n: number): Session => ({ ...SESSION, access_token: `access-${n}`, refresh_token: `refresh-${n}` });
const problem = (status: number, code: string) =>
  new Response(JSON.stringify({ type: "about:blank", title: code, status, code, request_id: "r1" }), {
    status,
    headers: { "content-type": "application/problem+json" },
  });

/** A server that accepts only the newest access token. */
function serve(valid: string) {
  const requests: string[] = [];
  vi.stubGlobal("fetch", async (request: Request) => {
    const path = new URL(request.url).pathname;
    const token = request.headers.get("authorization")?.slice("Bearer ".length);
    requests.push(`${request.method} ${path} ${token ?? "-"} ${await request.text()}`.trim());
    if (path.endsWith("/auth/refresh")) return Response.json(issue(2));
    return token === valid ? Response.json({ items: [], next_cursor: null }) : problem(401, "unauthorized");
  });
  return requests;
}

describe("requests of the signed-in user", () => {
  beforeEach(() => session.begin(issue(1), true));

  it("carry the token", async () => {
    const requests = serve("access-1");
    await call(api.GET("/api/v1/jobs", {}));
    expect(requests).toEqual(["GET /api/v1/jobs access-1"]);
  });

  it("are repeated once, including the body, with a new token if the server refuses the old one", async () => {
    const requests = serve("access-2");
    const answer = await apiFetch("/api/v1/jobs", { method: "POST", body: "settings" });
    expect(answer.ok).toBe(true);
    expect(requests).toEqual([
      "POST /api/v1/jobs access-1 settings",
      'POST /api/v1/auth/refresh - {"refresh_token":"refresh-1"}',
      "POST /api/v1/jobs access-2 settings",
    ]);
  });

  it("fail if the new token is refused, too", async () => {
    const requests = serve("nobody's");
    await expect(apiFetch("/api/v1/jobs")).rejects.toMatchObject({ status: 401, code: "unauthorized", requestId: "r1" });
    expect(requests).toHaveLength(3);
  });

  it("are not sent as a user who signed in in another tab", async () => {
    const requests = serve("access-9");
    const other = { ...issue(9), user: { ...issue(9).user, id: "u2" }, fresh_until: Date.now() + 900_000 };
    localStorage.setItem("slovo.session", JSON.stringify(other));
    await expect(apiFetch("/api/v1/jobs")).rejects.toMatchObject({ status: 401 });
    expect(requests).toEqual([]);
    expect(session.user()?.id).toBe("u2");
  });

  it("are not repeated as a user who signed in meanwhile", async () => {
    const tokens: string[] = [];
    vi.stubGlobal("fetch", async (request: Request) => {
      tokens.push(request.headers.get("authorization") ?? "-");
      session.begin({ ...issue(9), user: { ...issue(9).user, id: "u2" } }, true);
      return problem(401, "unauthorized");
    });
    await expect(apiFetch("/api/v1/jobs")).rejects.toMatchObject({ status: 401 });
    expect(tokens).toEqual(["Bearer access-1"]);
  });

  it("sent while signed out do not end a session that begins meanwhile", async () => {
    session.end("signed_out");
    vi.stubGlobal("fetch", async () => {
      session.begin(issue(9), true);
      return problem(401, "unauthorized");
    });
    await expect(apiFetch("/api/v1/jobs")).rejects.toMatchObject({ status: 401 });
    expect(session.user()?.id).toBe("u1");
  });

  it("throw the server's problem as an error", async () => {
    vi.stubGlobal("fetch", async () => problem(404, "not_found"));
    await expect(call(api.GET("/api/v1/jobs", {}))).rejects.toBeInstanceOf(ApiError);
  });
});
