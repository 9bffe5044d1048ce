/** Hands a file to the browser's downloads. */
export function saveFile(url: string, filename: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = filename;
  document.body.append(link);
  link.click();
  link.remove();
}

/** The browser has taken the bytes over well before this. */
const KEEP_MS = 60_000;

export function saveBlob(blob: Blob, filename: string): void {
  const url = URL.createObjectURL(blob);
  saveFile(url, filename);
  setTimeout(() => URL.revokeObjectURL(url), KEEP_MS);
}
