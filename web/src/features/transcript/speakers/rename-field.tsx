/** Edits a speaker's name in place: Enter or blur saves it, Escape cancels, an empty name removes it. */
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { speakerSign } from "@/domain/transcript/speakers";
import { MAX_SPEAKER_NAME } from "@/rules/constants";
import type { DocumentStore } from "../document/document-store";
import type { Speaker } from "../document/model";

interface RenameFieldProps {
  document: DocumentStore;
  speaker: Speaker;
  onEnd: () => void;
}

export function RenameField({ document, speaker, onEnd }: RenameFieldProps) {
  const { t } = useTranslation("editor");
  const [name, setName] = useState(speaker.name ?? "");
  const field = useRef<HTMLInputElement>(null);
  const ended = useRef(false);
  // A frame later, because a closing menu first returns the focus to its button.
  useEffect(() => {
    const frame = requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.select();
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  const end = (keep: boolean) => {
    if (ended.current) {
      return;
    }
    ended.current = true;
    const newName = name.replace(/\s+/g, " ").trim();
    if (keep && newName !== (speaker.name ?? "")) {
      document.actions.edit({ kind: "rename_speaker", speaker: speaker.id, name: newName || null });
    }
    onEnd();
  };
  return (
    <input
      ref={field}
      value={name}
      maxLength={MAX_SPEAKER_NAME}
      placeholder={speakerSign(speaker.id)}
      aria-label={t("speakers.name", { speaker: speakerSign(speaker.id) })}
      onChange={(event) => setName(event.target.value)}
      onBlur={() => end(true)}
      onKeyDown={(event) => {
        if (event.nativeEvent.isComposing) {
          return;
        }
        if (event.key === "Enter" || event.key === "Escape") {
          event.preventDefault();
          event.stopPropagation();
          end(event.key === "Enter");
        }
      }}
      className="h-8 w-full min-w-0 max-w-72 rounded border border-edge bg-paper-raised px-2 text-sm pointer-coarse:h-11 pointer-coarse:text-base"
    />
  );
}
