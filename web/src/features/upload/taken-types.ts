/** Which files this server takes: besides the rules' ten formats those that its outside decoder reads. */
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { capabilitiesQuery } from "@/api/capabilities";
import { validateFile } from "@/rules";
import { uploadLimit } from "./upload-limit";

const NONE: readonly string[] = [];

/** What the server said last; the tray lives outside of any page. */
let told = NONE;

export const noteMoreTypes = (extensions: readonly string[]): void => {
  told = extensions;
};

/** Extensions besides the ten, without dot; none until the server has told its own. */
export function useMoreTypes(): readonly string[] {
  const extensions = useQuery(capabilitiesQuery()).data?.more_types;
  useEffect(() => {
    if (extensions !== undefined) noteMoreTypes(extensions);
  }, [extensions]);
  return extensions ?? told;
}

/** What keeps a file from being sent. What is really in it the server sees by its content. */
export function fileViolations({ name, type, size }: Pick<File, "name" | "type" | "size">) {
  const violations = validateFile(name, type, size, uploadLimit());
  const isMore = told.some((extension) => name.toLowerCase().endsWith(`.${extension}`));
  return isMore ? violations.filter(({ code }) => code !== "file_unsupported") : violations;
}
