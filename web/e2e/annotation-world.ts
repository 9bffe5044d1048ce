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
        this.all = this.all.map((annotation) =>
          annotation.id === id
            ? { ...annotation, note: note ?? annotation.note, colour: colour ?? annotation.colour }
            : annotation,
        );
        return this.all.find((annotation) => annotation.id === id);
      }
      case "DELETE":
        this.all = this.all.filter((annotation) => annotation.id !== id);
        return null;
      default:
        return this.all;
    }
  }
}
