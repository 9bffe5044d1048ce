/** The largest recording that this server accepts: an administrator may have changed the rules' limit. */
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { capabilitiesQuery } from "@/api/capabilities";
import { limits } from "@/rules";

/** The server's last answer; the tray and the recording exist outside of any page. */
let told: number | null = null;

export const noteUploadLimit = (bytes: number | null): void => {
  told = bytes;
};

/** In bytes; the rules' limit until the server has answered. */
export const uploadLimit = (): number => told ?? limits().max_upload_bytes;

/** The same as a hook, which updates the page. */
export function useUploadLimit(): number {
  const bytes = useQuery(capabilitiesQuery()).data?.max_upload_bytes;
  useEffect(() => {
    if (bytes !== undefined) noteUploadLimit(bytes);
  }, [bytes]);
  return bytes ?? uploadLimit();
}
