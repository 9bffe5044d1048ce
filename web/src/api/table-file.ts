/** CSV files from the server, saved as downloads. */
import { saveBlob } from "@/lib/save-file";
import { apiFetch } from "./client";

/** `name` is the file name without the date. */
export async function saveTable(path: string, name: string): Promise<void> {
  const answer = await apiFetch(path);
  saveBlob(await answer.blob(), `slovo-${name}-${new Date().toISOString().slice(0, 10)}.csv`);
}
