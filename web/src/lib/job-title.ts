/** What a job is called. Whatever shows or names one asks here; the name of its file itself stands in its details alone. */
interface Called {
  title?: string | null;
  original_filename: string;
}

/** The title given by its owner, or the file's name; empty if it has neither. */
export const titleOf = ({ title, original_filename }: Called): string => title || original_filename;

/** The same for the names of files that are made of its text, as the server gives them: of `talk.mp3` it is `talk`. */
export function fileStemOf({ title, original_filename }: Called): string {
  if (title) return title;
  const stem = original_filename.slice(0, Math.max(0, original_filename.lastIndexOf(".")));
  return /[^. ]/.test(stem) ? stem : original_filename;
}
