/** Copies text to the clipboard; resolves to whether that succeeded. */
export async function copyText(text: string): Promise<boolean> {
  try {
    // Absent on insecure origins; rejected without permission.
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyByCommand(text);
  }
}

/** Fallback: execCommand copies the selection of a field. */
function copyByCommand(text: string): boolean {
  const focused = document.activeElement;
  const field = document.createElement("textarea");
  field.value = text;
  // Prevents the on-screen keyboard and scrolling.
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
