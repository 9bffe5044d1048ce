/** The link by which the reader's own mail program answers a message. */
import type { ContactMessage } from "@/api/admin-messages";

/** A mail program takes no more of an address. */
const MOST_LETTERS = 1_500;

/** With the message quoted. What was written stays text: it can add no recipient and no header. */
export function replyTo({ email, message }: Pick<ContactMessage, "email" | "message">, subject: string): string {
  const quoted = [...message]
    .slice(0, MOST_LETTERS)
    .join("")
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\r\n");
  return `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(`\r\n\r\n${quoted}`)}`;
}
