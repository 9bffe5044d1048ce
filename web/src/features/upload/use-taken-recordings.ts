/** Recordings that are on a tray, this tab's or another's: they are not offered as unfinished once more. */
import { useEffect, useState } from "react";
import { recordingsOnTrays, theTray } from "./the-tray";

/**
 * Ids of their uploads. One that was on a tray stays among them after it has left it: then a job has it, or it is removed
 * at the server, and the list of those that are offered may be from before.
 */
export function useTakenRecordings(owner: string): readonly string[] {
  const [taken, setTaken] = useState(() => recordingsOnTrays(owner));
  useEffect(() => {
    const look = () =>
      setTaken((known) => {
        const more = recordingsOnTrays(owner).filter((id) => !known.includes(id));
        return more.length > 0 ? [...known, ...more] : known;
      });
    look();
    const stop = theTray.subscribe(({ items }, before) => items.length !== before.items.length && look());
    // What another tab writes.
    window.addEventListener("storage", look);
    return () => {
      stop();
      window.removeEventListener("storage", look);
    };
  }, [owner]);
  return taken;
}
