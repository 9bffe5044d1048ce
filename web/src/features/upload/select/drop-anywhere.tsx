/** Accepts files dropped anywhere on the page, not only in the drop zone. */
import { useEffect, useEffectEvent, useState } from "react";
import { useTranslation } from "react-i18next";

export function DropAnywhere({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const { t } = useTranslation("upload");
  const [over, setOver] = useState(false);
  const drop = useEffectEvent(onFiles);

  useEffect(() => {
    // Enter and leave events fire for every element; their difference tells when the page is left.
    let depth = 0;
    const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes("Files") ?? false;
    const enter = (event: DragEvent) => {
      if (carriesFiles(event)) {
        depth += 1;
        setOver(true);
      }
    };
    const leave = (event: DragEvent) => {
      if (carriesFiles(event)) {
        depth = Math.max(0, depth - 1);
        setOver(depth > 0);
      }
    };
    const hover = (event: DragEvent) => {
      if (event.dataTransfer && carriesFiles(event)) {
        event.preventDefault();
        // The app prevents drops wherever no file is accepted.
        event.dataTransfer.dropEffect = "copy";
      }
    };
    const dropped = (event: DragEvent) => {
      depth = 0;
      setOver(false);
      if (event.dataTransfer && carriesFiles(event)) {
        event.preventDefault();
        drop([...event.dataTransfer.files]);
      }
    };
    const listeners = { dragenter: enter, dragleave: leave, dragover: hover, drop: dropped };
    for (const [name, listener] of Object.entries(listeners)) {
      window.addEventListener(name as "drop", listener);
    }
    return () => {
      for (const [name, listener] of Object.entries(listeners)) {
        window.removeEventListener(name as "drop", listener);
      }
    };
  }, []);

  return over ? (
    <div className="pointer-events-none fixed inset-0 z-50 flex animate-fade items-center justify-center border-4 border-voice bg-scrim">
      <p className="headline rounded-lg bg-paper-raised px-8 py-5 text-2xl shadow-sheet">{t("drop.overlay")}</p>
    </div>
  ) : null;
}
