/** Puts text on the clipboard; resolves to whether it is there. */
export async function copyText(text: string): Promise<boolean> {
  try {
    // Absent on plain http from another machine, refused where the page may not use it.
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyByCommand(text);
  }
}

/** The old way: the browser copies what is selected in a field. */
function copyByCommand(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  // Without a keyboard coming up on a phone, and without the page moving to it.
  field.readOnly = true;
  field.style.position = "fixed";
  field.style.top = "0";
  field.style.opacity = "0";
  document.body.append(field);
  try {
    field.focus({ preventScroll: true });
    field.select();
    return document.execCommand("copy");
  } catch {
    return false;
  } finally {
    field.remove();
    if (focused instanceof HTMLElement) {
      focused.focus({ preventScroll: true });
    }
  }
}
