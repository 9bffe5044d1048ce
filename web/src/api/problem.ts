/** Converts problem documents (RFC 9457) of the server and failed connections to errors. */
import type { Problem, ProblemCode, Violation } from "./schema";

/** Codes created here, not by the server. */
type ClientCode = "network" | "unreadable_answer";

/** A newer server may have other codes, too. */
export type ErrorCode = ProblemCode | ClientCode;

/** A failed request. `code` is stable; its message is in the locale files. */
export class ApiError extends Error {
  /** HTTP status; 0 without a response. */
  readonly status: number;
  readonly code: ErrorCode;
  /** Identifies the request in the server's log. */
  readonly requestId: string | null;
  readonly violations: readonly Violation[];
  /** Parameters of the message. */
  readonly params: Readonly<Record<string, unknown>>;
  /** Seconds to wait before trying again, if the server sent them. */
  readonly retryAfter: number | null;

  constructor(init: {
    status: number;
    code: ErrorCode;
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

  /** Whether the same request may succeed later unchanged. */
  get retryable(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 502;
  }
}

/** Reads the error from a response with an error status. Never throws. */
export async function errorFromResponse(response: Response): Promise<ApiError> {
  const problem = await readProblem(response);
  return new ApiError({
    status: response.status,
    code: problem?.code ?? codeForStatus(response.status),
    message: problem?.detail ?? problem?.title ?? `HTTP ${response.status}`,
    requestId: problem?.request_id ?? response.headers.get("x-request-id"),
    violations: problem?.errors ?? [],
    // Extra fields of some codes: `edit_conflict` contains the current segments.
    params: { ...problem?.params, ...(problem?.conflicts && { conflicts: problem.conflicts }) },
    retryAfter: readRetryAfter(response.headers.get("retry-after")),
  });
}

/** No response: the server or the connection is down. A request aborted by the caller stays an abort. */
export function errorFromFailedFetch(cause: unknown): unknown {
  if (cause instanceof DOMException && cause.name === "AbortError") return cause;
  return new ApiError({ status: 0, code: "network", cause });
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

/** A proxy in front of the server answers without a problem document; these are its usual statuses. */
function codeForStatus(status: number): ErrorCode {
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

/** In seconds. The header may also contain a date, which our server never sends. */
function readRetryAfter(header: string | null): number | null {
  if (header === null) return null;
  const seconds = Number(header);
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}
