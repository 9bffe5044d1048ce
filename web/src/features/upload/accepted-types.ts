/** File types that this server accepts: the ten formats of the rules, and those of its external decoder. */
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { capabilitiesQuery } from "@/api/capabilities";
import { checkContent, limits, type Violations, validateFile } from "@/rules";
import { uploadLimit } from "./upload-limit";

const NONE: readonly string[] = [];

/** The server's last answer; the tray exists outside of any page. */
let serverExtensions: readonly string[] | null = null;

export const setExtraTypes = (extensions: readonly string[]): void => {
  serverExtensions = extensions;
};

/** Extensions besides the ten, without dot; empty until the server has answered. */
export function useExtraTypes(): readonly string[] {
  const extensions = useQuery(capabilitiesQuery()).data?.more_types;
  useEffect(() => {
    if (extensions !== undefined) setExtraTypes(extensions);
  }, [extensions]);
  return extensions ?? serverExtensions ?? NONE;
}

/** Violations of a file that can be found without reading it. */
export function fileViolations({ name, type, size }: Pick<File, "name" | "type" | "size">): Violations {
  const violations = validateFile(name, type, size, uploadLimit());
  const isMore = (serverExtensions ?? NONE).some((extension) => name.toLowerCase().endsWith(`.${extension}`));
  return isMore ? violations.filter(({ code }) => code !== "file_unsupported") : violations;
}

/** The same by its first bytes, as on the server. A file that cannot be read now is left to the transfer. */
export async function contentViolations(file: Blob): Promise<Violations> {
  try {
    const head = new Uint8Array(await file.slice(0, limits().sniff_bytes).arrayBuffer());
    // Until the server has answered, it may accept more than the ten formats.
    return checkContent(head, serverExtensions === null || serverExtensions.length > 0);
  } catch {
    return [];
  }
}
