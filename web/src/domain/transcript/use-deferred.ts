import { useEffect, useState } from "react";
import { deferWords } from "./deferred-words";

/**
 * Whether the costly parts of a row are rendered: at once, or for a `late` row when its turn has come. They stay
 * rendered.
 */
export function useDeferred(late: boolean): boolean {
  const [come, setCome] = useState(!late);
  useEffect(() => (come ? undefined : deferWords(() => setCome(true))), [come]);
  return come;
}
