import { useEffect, useEffectEvent } from "react";
import { classifyUrl } from "@/rules";

interface PasteHandlers {
  onFiles: (files: readonly File[]) => void;
  onUrl: (url: string) => void;
}

/** Accepts recordings and URLs pasted anywhere on the page, except while typing. */
export function usePaste({ onFiles, onUrl }: PasteHandlers): void {
  const take = useEffectEvent((event: ClipboardEvent) => {
    const files = [...(event.clipboardData?.files ?? [])];
    const text = event.clipboardData?.getData("text/plain").trim() ?? "";
    const typing = event.target instanceof Element && event.target.closest("input, textarea, [contenteditable=true]") !== null;
    if (files.length > 0) {
      event.preventDefault();
      onFiles(files);
    } else if (!typing && classifyUrl(text) !== undefined) {
      onUrl(text);
    }
  });
  useEffect(() => {
    const listener = (event: ClipboardEvent) => take(event);
    window.addEventListener("paste", listener);
    return () => window.removeEventListener("paste", listener);
  }, []);
}
