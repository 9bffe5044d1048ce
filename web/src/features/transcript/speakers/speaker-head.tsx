/** The speaker's name above their first segment; while editing, it is a menu. */
import { ChevronDown } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { SpeakerLabel } from "@/domain/transcript/speaker-label";
import { speakerName } from "@/domain/transcript/speakers";
import type { DocumentStore } from "../document/document-store";
import type { Speaker } from "../document/model";
import { RenameField } from "./rename-field";
import { SpeakerMenu } from "./speaker-menu";

interface SpeakerHeadProps {
  document: DocumentStore;
  segmentId: string;
  speakerId: string;
  /** Whether the text is being edited. */
  writing: boolean;
}

interface WrittenHeadProps extends Pick<SpeakerHeadProps, "document" | "segmentId"> {
  speaker: Speaker;
  name: string;
}

export function SpeakerHead({ writing, ...props }: SpeakerHeadProps) {
  const speakers = useStore(props.document, (state) => state.speakers);
  const speaker = speakers.find(({ id }) => id === props.speakerId) ?? { id: props.speakerId };
  const name = speakerName(speaker);
  return writing ? (
    <WrittenHead {...props} speaker={speaker} name={name} />
  ) : (
    <SpeakerLabel id={speaker.id} name={name} className="max-w-full" />
  );
}

function WrittenHead({ document, segmentId, speaker, name }: WrittenHeadProps) {
  const { t } = useTranslation("editor");
  const [renaming, setRenaming] = useState(false);
  if (renaming) {
    return <RenameField document={document} speaker={speaker} onEnd={() => setRenaming(false)} />;
  }
  return (
    <SpeakerMenu
      document={document}
      segmentId={segmentId}
      scope="turn"
      onRename={() => setRenaming(true)}
      trigger={
        <button
          type="button"
          aria-label={t("speakers.menu", { speaker: name })}
          className="-ml-1.5 inline-flex min-h-6 max-w-full items-center gap-1 rounded px-1.5 hover:bg-paper-sunk pointer-coarse:min-h-11"
        >
          <SpeakerLabel id={speaker.id} name={name} />
          <ChevronDown aria-hidden="true" className="size-3.5 shrink-0 text-ink-faint" />
        </button>
      }
    />
  );
}
