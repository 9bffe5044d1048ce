/** What visitors of the public pages leave, whoever they are. */
import { call, openApi } from "./client";
import type { ContactMessageForm, NewsletterForm } from "./schema";

export async function sendContact(body: ContactMessageForm): Promise<void> {
  await call(openApi.POST("/api/v1/contact", { body }));
}

/** Asks for the newsletter: whoever reads the mails of that address has yet to confirm it. */
export async function subscribe(body: NewsletterForm): Promise<void> {
  await call(openApi.POST("/api/v1/newsletter", { body }));
}
