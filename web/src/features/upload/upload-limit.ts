/** The largest recording that this server accepts: an administrator may have changed the rules' limit. */
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { capabilitiesQuery } from "@/api/capabilities";
import { limits } from "@/rules";

/** The server's last answer; the tray and the recording exist outside of any page. */
let serverLimit: number | null = null;

export const setUploadLimit = (bytes: number | null): void => {
  serverLimit = bytes;
};

/** In bytes; the rules' limit until the server has answered. */
export const uploadLimit = (): number => serverLimit ?? limits().max_upload_bytes;

/** The same as a hook, which updates the page. */
export function useUploadLimit(): number {
  const bytes = useQuery(capabilitiesQuery()).data?.max_upload_bytes;
  useEffect(() => {
    if (bytes !== undefined) setUploadLimit(bytes);
  }, [bytes]);
  return bytes ?? uploadLimit();
}
