/** Brings React and the texts into a page of the server's. Only islands that are woken import this. */
import type { ReactNode } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { startTexts } from "@/lib/i18n";
import { isLocale } from "@/lib/locale-cookie";

let texts: Promise<void> | null = null;

/** What is drawn is there, and listens, when this resolves. Rejects when the texts cannot be fetched. */
export async function draw(node: ReactNode, host: Element): Promise<void> {
  const { lang } = document.documentElement;
  texts ??= startTexts(["site-islands", "common", "rules", "problems"], isLocale(lang) ? lang : "uk");
  try {
    await texts;
  } catch (error) {
    texts = null;
    throw error;
  }
  const root = createRoot(host);
  flushSync(() => root.render(node));
}
