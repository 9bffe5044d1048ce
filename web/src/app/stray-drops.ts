/** Without this, the browser would open a file dropped outside of a drop zone instead of the app. */

/** Ignores such files. A drop zone handles the events as well and sets the drop effect itself. */
export function forbidStrayDrops(page: Window): () => void {
  const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
  const hover = (event: DragEvent) => {
    if (event.dataTransfer && carriesFiles(event) && !event.defaultPrevented) {
      event.preventDefault();
      event.dataTransfer.dropEffect = "none";
    }
  };
  const drop = (event: DragEvent) => {
    if (carriesFiles(event)) event.preventDefault();
  };
  page.addEventListener("dragover", hover);
  page.addEventListener("drop", drop);
  return () => {
    page.removeEventListener("dragover", hover);
    page.removeEventListener("drop", drop);
  };
}
