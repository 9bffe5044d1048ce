/**
 * The client of the server's API. Every request goes through `apiFetch`, which adds the token and turns failures into
 * `ApiError`.
 */
import createClient from "openapi-fetch";
import { connection, isUnavailable } from "./connection";
import { ApiError, errorFromFailedFetch, errorFromResponse } from "./problem";
import type { paths } from "./schema";
import { createSessionKeeper } from "./session";
import { startSessionClock } from "./session-clock";
import { tabLock } from "./tab-lock";

export const session = createSessionKeeper({
  storage: localStorage,
  exchange: (refresh_token) => call(openApi.POST("/api/v1/auth/refresh", { body: { refresh_token } })),
  lock: tabLock(navigator.locks, localStorage),
  now: () => Date.now(),
  events: window,
  cookies: {
    get: () => document.cookie,
    set: (cookie) => {
      // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox and on plain http
      document.cookie = cookie;
    },
  },
});

startSessionClock(session, { page: document, events: window, now: () => Date.now() });

/** Requests that need no session: sign-up, sign-in, refresh, sign-out. */
export const openApi = createClient<paths>({ baseUrl: location.origin, fetch: (request) => send(request) });

/** Requests of the signed-in user. */
export const api = createClient<paths>({ baseUrl: location.origin, fetch: (request) => apiFetch(request) });

/**
 * `fetch` with the session's token: for streams, files and other requests that the typed client does not support. If
 * the token is refused, it is refreshed once. Throws `ApiError`; an abort stays an `AbortError`. A request of one user
 * is never sent as another user or without a session.
 */
export async function apiFetch(input: Request | string, init?: RequestInit): Promise<Response> {
  const request = new Request(typeof input === "string" ? new URL(input, location.origin) : input, init);
  const spare = request.clone();
  const owner = session.user()?.id ?? null;
  const token = await session.accessToken(owner);
  if (token === null && owner !== null) throw new ApiError({ status: 401, code: "unauthorized" });
  try {
    return await send(withToken(request, token));
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    const newer = token === null ? null : await session.replaceToken(token, owner);
    if (newer === null) {
      if (token === null && session.takeOver() === null) session.end("expired");
      throw error;
    }
    return send(withToken(spare, newer));
  }
}

/** The data of a response. The client's `fetch` has already thrown on an error. */
export async function call<Data>(answer: Promise<{ data?: Data }>): Promise<Data> {
  const { data } = await answer;
  return data as Data;
}

/** Returns a function that tells whether the same user is still signed in: responses must not reach another user. */
export function watchUser(): () => boolean {
  const id = session.user()?.id;
  return () => session.takeOver()?.user.id === id;
}

/** A token for libraries that send their own requests; null when signed out. */
export const getAccessToken = (): Promise<string | null> => session.accessToken();

function withToken(request: Request, token: string | null): Request {
  if (token !== null) request.headers.set("authorization", `Bearer ${token}`);
  return request;
}

async function send(request: Request): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(request);
  } catch (cause) {
    const error = errorFromFailedFetch(cause);
    if (error instanceof ApiError) connection.failed();
    throw error;
  }
  if (response.ok) {
    connection.answered();
    return response;
  }
  const error = await errorFromResponse(response);
  if (isUnavailable(error.status, error.code)) connection.failed();
  else connection.answered();
  throw error;
}
