/** The largest recording that this server takes: an administrator may have set less, or more, than the rules say. */
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { capabilitiesQuery } from "@/api/capabilities";
import { limits } from "@/rules";

/** What the server said last; the tray and the recording live outside of any page. */
let told: number | null = null;

export const noteUploadLimit = (bytes: number | null): void => {
  told = bytes;
};

/** In bytes; of the rules until the server has told its own. */
export const uploadLimit = (): number => told ?? limits().max_upload_bytes;

/** The same for a page, which hears of it. */
export function useUploadLimit(): number {
  const bytes = useQuery(capabilitiesQuery()).data?.max_upload_bytes;
  useEffect(() => {
    if (bytes !== undefined) noteUploadLimit(bytes);
  }, [bytes]);
  return bytes ?? uploadLimit();
}
