/** The display name of a job, used everywhere except in its details, which show the file's name. */
interface NamedJob {
  title?: string | null;
  original_filename: string;
}

/** The title given by the owner, or the file's name; empty if it has neither. */
export const titleOf = ({ title, original_filename }: NamedJob): string => title || original_filename;

/** The base name of exported files, as on the server: for `talk.mp3` it is `talk`. */
export function fileStemOf({ title, original_filename }: NamedJob): string {
  if (title) return title;
  const stem = original_filename.slice(0, Math.max(0, original_filename.lastIndexOf(".")));
  return /[^. ]/.test(stem) ? stem : original_filename;
}
