/** The languages, themes and sizes in which pages are tested. */

interface Look {
  locale: "uk" | "en";
  theme: "light" | "dark";
  width: number;
}

/**
 * All of them with `SLOVO_PICTURES=1`; otherwise the first two, which cover both languages, both themes, phone and desktop,
 * to save time in every run.
 */
export function eachLook<One extends Look>(looks: readonly One[]): readonly One[] {
  return process.env.SLOVO_PICTURES ? looks : looks.slice(0, 2);
}
