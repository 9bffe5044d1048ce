/** Renders Markdown from a model; the library is loaded on first use. */
import { lazyPart } from "@/lib/part";

export const Markdown = lazyPart(async () => (await import("./safe-markdown")).SafeMarkdown);
