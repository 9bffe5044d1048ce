/** The one place where a server's problem document (RFC 9457) or a failed connection becomes an error. */
import type { Problem, Violation } from "./schema";

/** Codes that are made here and not by the server. */
export type ClientCode = "network" | "unreadable_answer";

/** A request that did not succeed. `code` is stable; the text for people comes from the locale files by it. */
export class ApiError extends Error {
  /** HTTP status; 0 when no answer came. */
  readonly status: number;
  readonly code: string;
  /** Names the request in the server's log. */
  readonly requestId: string | null;
  readonly violations: readonly Violation[];
  /** Figures and names for the text. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Seconds to wait before trying again, when the server said so. */
  readonly retryAfter: number | null;

  constructor(init: {
    status: number;
    code: string;
    message?: string;
    requestId?: string | null;
    violations?: readonly Violation[];
    params?: Readonly<Record<string, unknown>>;
    retryAfter?: number | null;
    cause?: unknown;
  }) {
    super(init.message ?? init.code, { cause: init.cause });
    this.name = "ApiError";
    this.status = init.status;
    this.code = init.code;
    this.requestId = init.requestId ?? null;
    this.violations = init.violations ?? [];
    this.params = init.params ?? {};
    this.retryAfter = init.retryAfter ?? null;
  }

  /** Whether the same request may succeed later without anything being changed. */
  get retryable(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 502;
  }
}

/** Reads the error out of an answer whose status is not a success. Never throws itself. */
export async function errorFromResponse(response: Response): Promise<ApiError> {
  const problem = await readProblem(response);
  return new ApiError({
    status: response.status,
    code: problem?.code ?? codeForStatus(response.status),
    message: problem?.detail ?? problem?.title ?? `HTTP ${response.status}`,
    requestId: problem?.request_id ?? response.headers.get("x-request-id"),
    violations: problem?.errors ?? [],
    // What the code adds to the document itself: `edit_conflict` tells what the segments are now.
    params: { ...problem?.params, ...(problem?.conflicts && { conflicts: problem.conflicts }) },
    retryAfter: readRetryAfter(response.headers.get("retry-after")),
  });
}

/** No answer came: the server is down, the line is cut. A request that the caller aborted stays an abort. */
export function errorFromFailedFetch(cause: unknown): unknown {
  if (cause instanceof DOMException && cause.name === "AbortError") return cause;
  return new ApiError({ status: 0, code: "network" satisfies ClientCode, cause });
}

async function readProblem(response: Response): Promise<Partial<Problem> | null> {
  if (!response.headers.get("content-type")?.includes("json")) return null;
  try {
    const body: unknown = await response.json();
    return typeof body === "object" && body !== null ? (body as Partial<Problem>) : null;
  } catch {
    return null;
  }
}

/** A proxy in front of the server answers without a problem document; these are the statuses proxies use. */
function codeForStatus(status: number): string {
  switch (status) {
    case 401:
      return "unauthorized";
    case 404:
      return "not_found";
    case 413:
      return "body_too_large";
    case 429:
      return "rate_limited";
    case 502:
    case 503:
    case 504:
      return "unavailable";
    default:
      return status >= 500 ? "internal" : "unreadable_answer";
  }
}

/** Seconds. The header may also carry a date, which our server never sends. */
function readRetryAfter(header: string | null): number | null {
  if (header === null) return null;
  const seconds = Number(header);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}
