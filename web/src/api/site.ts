/** Forms of the public pages. */
import { call, openApi } from "./client";
import type { ContactMessageForm, NewsletterForm } from "./schema";

export async function sendContact(body: ContactMessageForm): Promise<void> {
  await call(openApi.POST("/api/v1/contact", { body }));
}

/** Subscribes to the newsletter; the owner of the address must confirm it. */
export async function subscribe(body: NewsletterForm): Promise<void> {
  await call(openApi.POST("/api/v1/newsletter", { body }));
}
