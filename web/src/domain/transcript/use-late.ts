import { useEffect, useState } from "react";
import { awaitWords } from "./late-words";

/** Whether the costly parts of a row are there: at once, or when it is `late` and its turn has come. Once there, they stay. */
export function useLate(late: boolean): boolean {
  const [come, setCome] = useState(!late);
  useEffect(() => (come ? undefined : awaitWords(() => setCome(true))), [come]);
  return come;
}
