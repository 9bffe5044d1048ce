import { useEffect, useState } from "react";
import { awaitWords } from "./late-words";

/**
 * Whether the costly parts of a row are rendered: at once, or for a `late` row when its turn has come. They stay
 * rendered.
 */
export function useLate(late: boolean): boolean {
  const [come, setCome] = useState(!late);
  useEffect(() => (come ? undefined : awaitWords(() => setCome(true))), [come]);
  return come;
}
