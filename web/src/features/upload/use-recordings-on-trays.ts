/** Recordings on a tray of this or another tab, which are not offered as unfinished. */
import { useEffect, useState } from "react";
import { recordingsOnTrays, uploadTray } from "./upload-tray";

/**
 * Ids of their uploads. An id stays included after it has left the tray: it then belongs to a job or was deleted, and
 * the list of offers may be outdated.
 */
export function useRecordingsOnTrays(owner: string): readonly string[] {
  const [taken, setTaken] = useState(() => recordingsOnTrays(owner));
  useEffect(() => {
    const look = () =>
      setTaken((known) => {
        const more = recordingsOnTrays(owner).filter((id) => !known.includes(id));
        return more.length > 0 ? [...known, ...more] : known;
      });
    look();
    const stop = uploadTray.subscribe(({ items }, before) => items.length !== before.items.length && look());
    // Changes by other tabs.
    window.addEventListener("storage", look);
    return () => {
      stop();
      window.removeEventListener("storage", look);
    };
  }, [owner]);
  return taken;
}
