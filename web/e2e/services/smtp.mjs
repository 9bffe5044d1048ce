// A real SMTP server that stores mails. Tests of the server run it as a program, Playwright by `startSmtp`.
//
//   node smtp.mjs [--tls none|starttls|implicit] [--user NAME --password WORD] [--mode MODE] [--out DIR]
//
// Modes: accept; refuse (no such recipient, 550); later (temporary failure, 451); hang (no greeting); drop (closes the
// connection at the mail's data). Standard output is one JSON object per line: first {ready, port, ca}, then {mail} for
// every accepted mail and {refused} for every refused one. It exits when its standard input is closed, so that it does not
// outlive its parent.
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import PostalMime from "postal-mime";
import { SMTPServer } from "smtp-server";

const MODES = ["accept", "refuse", "later", "hang", "drop"];
const PRIVACY = ["none", "starttls", "implicit"];

/**
 * Starts a server on a free port of 127.0.0.1.
 *
 * @param {{tls?: string, user?: string, password?: string, mode?: string, out?: string, onEvent?: (event: object) => void}} options
 * @returns {Promise<{port: number, ca: string | undefined, mails: object[], stop: () => Promise<void>}>} `ca` is the file
 *   of the authority to trust, `mails` the accepted ones
 */
export async function startSmtp({ tls = "none", user, password, mode = "accept", out, onEvent = () => {} } = {}) {
  if (!MODES.includes(mode)) throw new Error(`--mode: one of ${MODES.join(", ")}`);
  if (!PRIVACY.includes(tls)) throw new Error(`--tls: one of ${PRIVACY.join(", ")}`);
  const certificate = tls === "none" ? undefined : makeCertificate();
  const mails = [];
  const keep = async (stream, session) => {
    const raw = await buffer(stream);
    const mail = await readMail(raw, session);
    mails.push(mail);
    if (out !== undefined) writeFileSync(join(out, `${String(mails.length).padStart(4, "0")}.eml`), raw);
    onEvent({ mail });
  };
  const server = new SMTPServer({
    secure: tls === "implicit",
    ...(certificate && { key: readFileSync(certificate.key), cert: readFileSync(certificate.cert) }),
    disabledCommands: tls === "starttls" ? [] : ["STARTTLS"],
    // Authentication is allowed only after STARTTLS, if that is enabled.
    allowInsecureAuth: tls === "none",
    authOptional: user === undefined,
    authMethods: ["PLAIN", "LOGIN"],
    disableReverseLookup: true,
    closeTimeout: 100,
    onConnect: (_session, done) => {
      if (mode !== "hang") done();
    },
    onAuth: (auth, _session, done) => {
      if (auth.username === user && auth.password === password) return done(null, { user });
      onEvent({ refused: "sign-in" });
      done(answer(535, "Authentication failed"));
    },
    onRcptTo: (address, _session, done) => {
      if (mode !== "refuse" && mode !== "later") return done();
      onEvent({ refused: address.address });
      done(mode === "refuse" ? answer(550, "No such user here") : answer(451, "Try again later"));
    },
    onData: (stream, session, done) => {
      if (mode === "drop") {
        onEvent({ refused: "dropped" });
        for (const connection of server.connections) connection._socket.destroy();
        return;
      }
      keep(stream, session).then(() => done(null, "Taken"), done);
    },
  });
  // Some tests close the connection prematurely.
  server.on("error", () => {});
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  return {
    port: server.server.address().port,
    ca: certificate?.ca,
    mails,
    stop: async () => {
      for (const connection of server.connections) connection._socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      if (certificate) rmSync(certificate.folder, { recursive: true, force: true });
    },
  };
}

const answer = (responseCode, message) => Object.assign(new Error(message), { responseCode });

/**
 * A parsed mail, with its envelope and connection.
 *
 * @param {Buffer} raw
 * @param {import("smtp-server").SMTPServerSession} session
 */
async function readMail(raw, session) {
  const parsed = await PostalMime.parse(raw);
  return {
    envelope: { from: session.envelope.mailFrom.address, to: session.envelope.rcptTo.map((recipient) => recipient.address) },
    secure: session.secure,
    user: session.user ?? null,
    hello: session.hostNameAppearsAs,
    from: parsed.from,
    to: parsed.to,
    subject: parsed.subject,
    text: parsed.text,
    html: parsed.html,
    headers: parsed.headers,
    raw: raw.toString("latin1"),
  };
}

/** A certificate for this machine and its authority, both valid for a day. */
function makeCertificate() {
  const folder = mkdtempSync(join(tmpdir(), "slovo-smtp-"));
  const file = (name) => join(folder, name);
  const make = (name, subject, ...more) => {
    const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "1"];
    const files = ["-keyout", file(`${name}.key`), "-out", file(`${name}.pem`)];
    execFileSync("openssl", ["req", "-x509", ...kind, ...files, "-subj", `/CN=${subject}`, ...more], { stdio: "pipe" });
  };
  make("ca", "Slovo test authority");
  const signed = ["-CA", file("ca.pem"), "-CAkey", file("ca.key")];
  const names = "subjectAltName=DNS:localhost,IP:127.0.0.1";
  make("cert", "localhost", ...signed, "-addext", "basicConstraints=critical,CA:FALSE", "-addext", names);
  return { folder, key: file("cert.key"), cert: file("cert.pem"), ca: file("ca.pem") };
}

async function main() {
  const option = { type: "string" };
  const { values } = parseArgs({ options: { tls: option, user: option, password: option, mode: option, out: option } });
  const tell = (event) => console.log(JSON.stringify(event));
  const { port, ca, stop } = await startSmtp({ ...values, onEvent: tell });
  tell({ ready: true, port, ca });
  process.stdin.resume();
  await once(process.stdin, "end");
  await stop();
  process.exit(0);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();
