/** Markdown of a model; the library comes with the first that is shown. */
import { lazyPart } from "@/lib/part";

export const Markdown = lazyPart(async () => (await import("./safe-markdown")).SafeMarkdown);
