/** A mailto link to answer a message in the reader's mail program. */
import type { ContactMessage } from "@/api/admin-messages";

/** Maximum length of the quoted text: mail programs limit the length of a URL. */
const MAX_LETTERS = 1_500;

/** Quotes the message. Its text is escaped, so that it cannot add recipients or headers. */
export function replyTo({ email, message }: Pick<ContactMessage, "email" | "message">, subject: string): string {
  const quoted = [...message]
    .slice(0, MAX_LETTERS)
    .join("")
    .split("\n")
    .map((line) => `> ${line}`)
    .join("\r\n");
  return `mailto:${encodeURIComponent(email)}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(`\r\n\r\n${quoted}`)}`;
}
