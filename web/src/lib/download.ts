/** Lets the browser download the URL, because an archive with recordings is too large for the page's memory. */
export function download(url: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = "";
  link.click();
}
