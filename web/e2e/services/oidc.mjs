// A real OpenID provider with one client. Tests of the server run it as a program, Playwright by `startOidc`.
//
//   node oidc.mjs --client-id ID --client-secret SECRET --redirect-uri URL [--accounts JSON] [--port PORT]
//
// Accounts are a list of {sub, email, email_verified, name}; all but `sub` are optional. Its page asks for `sub` or `email`
// and has the buttons "Sign in" and "Cancel". `POST /test/accounts` with such a list adds accounts, or replaces those with
// the same `sub`. Standard output is one JSON line: {ready, issuer}. It exits when its standard input is closed, so that it
// does not outlive its parent.
import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import Provider from "oidc-provider";

/**
 * @typedef {{sub: string, email?: string, email_verified?: boolean, name?: string}} Account
 */

/**
 * Starts a provider on a port of 127.0.0.1.
 *
 * @param {{clientId: string, clientSecret: string, redirectUri: string, accounts?: Account[], port?: number}} options
 *   on a free port by default
 * @returns {Promise<{issuer: string, setAccounts: (accounts: Account[]) => void, stop: () => Promise<void>}>}
 */
export async function startOidc({ clientId, clientSecret, redirectUri, accounts = [], port = 0 }) {
  /** @type {Map<string, Account>} */
  const known = new Map();
  const setAccounts = (/** @type {Account[]} */ list) => {
    for (const account of list) known.set(account.sub, account);
  };
  setAccounts(accounts);
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  const issuer = `http://127.0.0.1:${address.port}`;
  const provider = makeProvider(issuer, { clientId, clientSecret, redirectUri }, known);
  const answer = provider.callback();
  server.on("request", (request, response) => {
    const path = request.url ?? "";
    const handling = path.startsWith("/interaction/")
      ? interact(provider, known, request, response)
      : path === "/test/accounts" && takeAccounts(setAccounts, request, response);
    if (handling) handling.catch((error) => fail(response, error));
    else answer(request, response);
  });
  return {
    issuer,
    setAccounts,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/**
 * @param {string} issuer
 * @param {{clientId: string, clientSecret: string, redirectUri: string}} client
 * @param {Map<string, Account>} known
 */
function makeProvider(issuer, client, known) {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const key = { ...privateKey.export({ format: "jwk" }), kid: "test", use: "sig", alg: "RS256" };
  const provider = new Provider(issuer, {
    clients: [{ client_id: client.clientId, client_secret: client.clientSecret, redirect_uris: [client.redirectUri] }],
    jwks: { keys: [key] },
    cookies: { keys: ["only for tests"] },
    pkce: { required: () => true },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    // Like Google: claims of the requested scopes are in the ID token.
    conformIdTokenClaims: false,
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, interaction) => `/interaction/${interaction.uid}` },
    ttl: { Session: 3600, Interaction: 3600, Grant: 3600, AccessToken: 3600, IdToken: 3600, AuthorizationCode: 60 },
    findAccount: (_context, sub) => {
      const account = known.get(sub);
      return account && { accountId: sub, claims: () => ({ ...account }) };
    },
    // Signing in counts as consent.
    loadExistingGrant: async (context) => {
      const { client, session } = context.oidc;
      const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
      grant.addOIDCScope("openid email profile");
      await grant.save();
      return grant;
    },
  });
  return provider;
}

/** The sign-in page. */
async function interact(provider, known, request, response) {
  const { params } = await provider.interactionDetails(request, response);
  if (request.method !== "POST") return page(response, params.login_hint ?? "");
  const form = new URLSearchParams(await text(request));
  if (form.has("cancel")) {
    const denied = { error: "access_denied", error_description: "They would rather not" };
    return provider.interactionFinished(request, response, denied, { mergeWithLastSubmission: false });
  }
  const login = form.get("login") ?? "";
  const account = known.get(login) ?? [...known.values()].find((candidate) => candidate.email === login);
  if (!account) return page(response, login, "There is no such account.");
  const result = { login: { accountId: account.sub } };
  return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

function page(response, login, problem = "") {
  const safe = login.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
  response.writeHead(200, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" });
  response.end(`<!doctype html><html lang="en"><title>Test provider</title>
<form method="post">
  <p role="alert">${problem}</p>
  <label>Account <input name="login" value="${safe}" autofocus></label>
  <button>Sign in</button>
  <button name="cancel" value="yes">Cancel</button>
</form></html>`);
}

async function takeAccounts(setAccounts, request, response) {
  setAccounts(JSON.parse(await text(request)));
  response.writeHead(204).end();
}

function fail(response, error) {
  console.error(error);
  response.writeHead(500).end();
}

async function main() {
  const option = { type: "string" };
  const { values } = parseArgs({
    options: { "client-id": option, "client-secret": option, "redirect-uri": option, accounts: option, port: option },
  });
  // Standard output is reserved for one line; the provider writes notices.
  console.info = console.error;
  const { issuer, stop } = await startOidc({
    clientId: values["client-id"] ?? "",
    clientSecret: values["client-secret"] ?? "",
    redirectUri: values["redirect-uri"] ?? "",
    accounts: JSON.parse(values.accounts ?? "[]"),
    port: Number(values.port ?? 0),
  });
  console.log(JSON.stringify({ ready: true, issuer }));
  process.stdin.resume();
  await once(process.stdin, "end");
  await stop();
  process.exit(0);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
