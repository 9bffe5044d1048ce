/** Loads React and the texts into a public page. Imported only by islands that have been activated. */
import type { ReactNode } from "react";
import { flushSync } from "react-dom";
import { createRoot } from "react-dom/client";
import { startTexts } from "@/lib/i18n";
import { isLocale } from "@/lib/locale-cookie";

let texts: Promise<void> | null = null;

/** Resolves when the content is mounted and interactive. Rejects if the texts cannot be loaded. */
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
