/**
 * Mocked responses of the API. Like `page.route`, but the browser pauses requests of the API only: Playwright's interception
 * also pauses each of the hundred files of a page and disables the cache for them, which took a fifth of a test's time.
 */
import type { CDPSession, Page } from "@playwright/test";

interface PausedRequest {
  url: () => string;
  method: () => string;
  /** Names are in lower case. */
  headers: () => Record<string, string>;
  // biome-ignore lint/suspicious/noExplicitAny: like Playwright's; the tests know what the page sends
  postDataJSON: () => any;
}

interface MockedResponse {
  /** 200 by default. */
  status?: number;
  headers?: Record<string, string>;
  contentType?: string;
  json?: unknown;
  body?: string | Buffer;
}

export interface Interception {
  request: () => PausedRequest;
  fulfill: (response?: MockedResponse) => Promise<void>;
  /** Fails the request as if the connection was lost. */
  abort: () => Promise<void>;
  /** Sends the request to the server. */
  continue: () => Promise<void>;
  /** Lets the handler that was added before decide, or the server if there is none. */
  fallback: () => Promise<void>;
}

/** May leave the request unanswered. */
type Handler = (interception: Interception) => unknown;

interface Paused {
  requestId: string;
  request: { url: string; method: string; headers: Record<string, string>; postData?: string };
}

interface Rule {
  matches: RegExp;
  handler: Handler;
}

const rulesOf = new WeakMap<Page, Rule[]>();

/**
 * Adds a handler for requests of the API whose URL matches: a regular expression, or a pattern in which `**` stands for any
 * text, and `*` for any text without a slash. The newest matching handler decides.
 */
export async function intercept(page: Page, url: string | RegExp, handler: Handler): Promise<void> {
  const rules = rulesOf.get(page) ?? (await start(page));
  rules.push({ matches: typeof url === "string" ? expressionOf(url) : url, handler });
}

function expressionOf(pattern: string): RegExp {
  const parts = pattern.split("**").map((part) => part.split("*").map(literal).join("[^/]*"));
  return new RegExp(`^${parts.join(".*")}$`);
}

const literal = (text: string) => text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, "\\$&");

async function start(page: Page): Promise<Rule[]> {
  const rules: Rule[] = [];
  rulesOf.set(page, rules);
  const session = await page.context().newCDPSession(page);
  session.on("Fetch.requestPaused", (paused) => void decide(session, rules, paused));
  await session.send("Fetch.enable", { patterns: [{ urlPattern: "*/api/v1/*" }, { urlPattern: "*/readyz" }] });
  return rules;
}

async function decide(session: CDPSession, rules: readonly Rule[], { requestId, request }: Paused): Promise<void> {
  const matching = rules.filter(({ matches }) => matches.test(request.url));
  const pausedRequest: PausedRequest = {
    url: () => request.url,
    method: () => request.method,
    headers: () => Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value])),
    postDataJSON: () => (request.postData === undefined ? null : JSON.parse(request.postData)),
  };
  const pass = () => answered(session.send("Fetch.continueRequest", { requestId }));
  const next = async (): Promise<void> => {
    const rule = matching.pop();
    if (!rule) return pass();
    await rule.handler({
      request: () => pausedRequest,
      fulfill: (response = {}) => answered(session.send("Fetch.fulfillRequest", { requestId, ...fulfilled(response) })),
      abort: () => answered(session.send("Fetch.failRequest", { requestId, errorReason: "Failed" })),
      continue: pass,
      fallback: next,
    });
  };
  await next();
}

/** The page may be closed, or have given up the request, before it is answered. */
const answered = async (sent: Promise<unknown>) => {
  await sent.catch(() => undefined);
};

function fulfilled({ status = 200, headers = {}, contentType, json, body = "" }: MockedResponse) {
  const bytes = Buffer.from(json === undefined ? body : JSON.stringify(json));
  const type = contentType ?? (json === undefined ? undefined : "application/json");
  const all = { ...(type === undefined ? {} : { "content-type": type }), "content-length": String(bytes.length), ...headers };
  return {
    responseCode: status,
    responseHeaders: Object.entries(all).map(([name, value]) => ({ name, value })),
    body: bytes.toString("base64"),
  };
}
