/** The browser fetches it by itself: an archive with recordings is far too much for the page's memory. */
export function download(url: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = "";
  link.click();
}
