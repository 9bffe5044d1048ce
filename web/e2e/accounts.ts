/** Creates accounts and finished jobs through the API, for tests of other features. */
import { createHash, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import type { BrowserContext } from "@playwright/test";
import type { Job, Registration, Session, UploadState } from "../src/api/schema";
import { lastMail } from "./mailbox";
import type { Server } from "./server";

export const PASSWORD = "Correct-horse-7-battery";

export const freshEmail = () => `reader-${randomUUID()}@example.com`;

export async function signUp(server: Server, email = freshEmail()): Promise<Session> {
  const form = { email, password: PASSWORD, confirm_password: PASSWORD, terms: true };
  const { registration } = (await post(server, "/api/v1/auth/signup", form)) as Registration;
  const { code } = await lastMail(server, email);
  return (await post(server, "/api/v1/auth/verify", { registration, code })) as Session;
}

/** Many tests in a row exceed the rate limit of sign-ins: then it waits for the time given by the server. */
export async function logIn(server: Server, email: string): Promise<Session> {
  for (;;) {
    const response = await send(server, "/api/v1/auth/login", { email, password: PASSWORD });
    if (response.status !== 429) return (await answer(response)) as Session;
    await new Promise((over) => setTimeout(over, Number(response.headers.get("retry-after") ?? 1) * 1000));
  }
}

const post = (server: Server, path: string, body: object): Promise<unknown> => answer(send(server, path, body));

const send = (server: Server, path: string, body: object): Promise<Response> =>
  fetch(server.origin + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

/** Signs this browser context in as that user. */
export async function signIn(
  context: BrowserContext,
  session: Session,
  look: { locale?: "uk" | "en"; theme?: "light" | "dark" } = {},
) {
  await context.addInitScript(
    ({ session: stored, locale, theme }) => {
      // Only if nothing is stored yet, because the page refreshes the session itself.
      if (localStorage.getItem("slovo.session") === null) {
        localStorage.setItem(
          "slovo.session",
          JSON.stringify({ ...stored, remember: true, fresh_until: Date.now() + stored.expires_in * 1000 }),
        );
      }
      localStorage.setItem("slovo.locale", locale);
      localStorage.setItem("slovo.theme", theme);
    },
    { session, locale: look.locale ?? "uk", theme: look.theme ?? "light" },
  );
}

export async function finishedJob(
  server: Server,
  session: Session,
  file: string,
  settings: Partial<Job["settings"]>,
): Promise<Job> {
  const headers = { authorization: `Bearer ${session.access_token}` };
  const bytes = readFileSync(file);
  const created = await fetch(`${server.origin}/api/v1/uploads`, {
    method: "POST",
    headers: {
      ...headers,
      "tus-resumable": "1.0.0",
      "upload-length": String(bytes.length),
      "upload-metadata": `filename ${Buffer.from(basename(file)).toString("base64")}`,
      "content-type": "application/offset+octet-stream",
      "upload-checksum": `sha256 ${createHash("sha256").update(bytes).digest("base64")}`,
    },
    body: bytes,
  });
  const upload_id = created.headers.get("location")?.split("/").at(-1);
  if (!created.ok || !upload_id) {
    throw new Error(`the upload was refused: ${created.status} ${await created.text()}`);
  }
  let job = (await answer(
    fetch(`${server.origin}/api/v1/jobs`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({ upload_id, settings }),
    }),
  )) as Job;
  while (job.status === "pending" || job.status === "processing") {
    await new Promise((resolve) => setTimeout(resolve, 300));
    job = (await answer(fetch(`${server.origin}/api/v1/jobs/${job.my_job_id}`, { headers }))) as Job;
  }
  if (job.status !== "completed") {
    throw new Error(`the job ended as ${job.status}: ${JSON.stringify(job.error)}`);
  }
  return job;
}

/** The account's uploads without a job on the server. */
export async function uploadsOf(server: Server, { access_token }: Session): Promise<UploadState[]> {
  const headers = { authorization: `Bearer ${access_token}` };
  const { uploads } = (await answer(fetch(`${server.origin}/api/v1/uploads`, { headers }))) as { uploads: UploadState[] };
  return uploads;
}

async function answer(request: Response | Promise<Response>): Promise<unknown> {
  const response = await request;
  if (!response.ok) {
    throw new Error(`${response.url}: ${response.status} ${await response.text()}`);
  }
  return response.json();
}
