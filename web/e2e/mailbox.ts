/** The mails of the server under test: without an SMTP server, each is a file in its data folder. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import PostalMime from "postal-mime";
import type { Server } from "./server";

interface Letter {
  subject: string;
  text: string;
  html: string;
  /** The verification code: an indented line of the text. */
  code: string | null;
  /** The first link of the text. */
  link: string | null;
}

/** Generous timeout for a mail from a background task. In ms. */
const WAIT_MS = 20_000;

/** The newest mail to this address; waits until there are more than `after`. */
export async function lastMail(server: Server, to: string, after = 0): Promise<Letter> {
  const deadline = Date.now() + WAIT_MS;
  for (;;) {
    const mails = await mailsTo(server, to);
    const last = mails.at(-1);
    if (last && mails.length > after) {
      return last;
    }
    if (Date.now() > deadline) {
      throw new Error(`${mails.length} mails to ${to}, more than ${after} were expected`);
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function mailsTo(server: Server, to: string): Promise<Letter[]> {
  const folder = join(server.data, "outbox");
  const letters: Letter[] = [];
  for (const file of files(folder).sort()) {
    const mail = await PostalMime.parse(readFileSync(join(folder, file)));
    if (mail.to?.some(({ address }) => address === to)) {
      letters.push(letter(mail.subject ?? "", mail.text ?? "", mail.html ?? ""));
    }
  }
  return letters;
}

function files(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => name.endsWith(".eml"));
  } catch {
    // There is no mail yet.
    return [];
  }
}

function letter(subject: string, text: string, html: string): Letter {
  return {
    subject,
    text,
    html,
    code: /^ {4}(\w{5})\s*$/m.exec(text)?.[1] ?? null,
    link: /https?:\/\/\S+/.exec(text)?.[0] ?? null,
  };
}
