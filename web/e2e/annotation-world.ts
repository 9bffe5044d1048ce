/** A fake server for bookmarks and highlights. */
import type { Annotation, AnnotationChange, NewAnnotations } from "../src/api/schema.d.ts";

export class AnnotationWorld {
  all: Annotation[] = [];
  /** Number of requests that create annotations. */
  made = 0;

  /** Undefined for other requests. */
  act(method: string, of: string, body: unknown): unknown {
    const [, id] = /^\/annotations(?:\/([0-9a-f-]+))?$/.exec(of) ?? [undefined, undefined];
    if (!of.startsWith("/annotations")) return undefined;
    switch (method) {
      case "POST":
        this.made += 1;
        return (body as NewAnnotations).annotations.map((annotation) => {
          const known = this.all.find((other) => other.id === annotation.id);
          const at = "2026-11-21T09:00:00Z";
          const stored = known ?? { ...annotation, note: annotation.note ?? "", created_at: at, changed_at: at };
          if (!known) this.all.push(stored);
          return stored;
        });
      case "PATCH": {
        const { note, colour } = body as AnnotationChange;
        this.all = this.all.map((one) =>
          one.id === id ? { ...one, note: note ?? one.note, colour: colour ?? one.colour } : one,
        );
        return this.all.find((one) => one.id === id);
      }
      case "DELETE":
        this.all = this.all.filter((one) => one.id !== id);
        return null;
      default:
        return this.all;
    }
  }
}
