/** Tables that the server writes (CSV), handed to the browser's downloads. */
import { saveBlob } from "@/lib/save-file";
import { apiFetch } from "./client";

/** `name` is the file's, with the day after it. */
export async function saveTable(path: string, name: string): Promise<void> {
  const answer = await apiFetch(path);
  saveBlob(await answer.blob(), `slovo-${name}-${new Date().toISOString().slice(0, 10)}.csv`);
}
