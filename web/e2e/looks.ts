/** In which languages, themes and sizes pages are looked at. */

interface Look {
  locale: "uk" | "en";
  theme: "light" | "dark";
  width: number;
}

/**
 * All of them with `SLOVO_PICTURES=1`; otherwise the first two, which between them have both languages, both themes, and a
 * phone and a desk. What one look has in common with another is not proved twice in every run.
 */
export function each<One extends Look>(looks: readonly One[]): readonly One[] {
  return process.env.SLOVO_PICTURES ? looks : looks.slice(0, 2);
}
