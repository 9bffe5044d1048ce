/** Assigns another speaker to this segment, to the consecutive ones, or to all of the speaker's segments. */
import { Pencil, UserPlus } from "lucide-react";
import { type ReactElement, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { Menu, MenuChoice, MenuItem, MenuSeparator } from "@/components/menu";
import { SpeakerLabel } from "@/domain/transcript/speaker-label";
import { freeSpeaker, speakerName } from "@/domain/transcript/speakers";
import type { DocumentStore } from "../document/document-store";
import { assignment, SCOPES, type Scope } from "./assign";

interface SpeakerMenuProps {
  document: DocumentStore;
  segmentId: string;
  /** The initial scope. */
  scope: Scope;
  onRename?: (() => void) | undefined;
  trigger: ReactElement;
}

export function SpeakerMenu({ document, segmentId, scope: first, onRename, trigger }: SpeakerMenuProps) {
  return (
    <Menu trigger={trigger} align="start">
      <Choices document={document} segmentId={segmentId} scope={first} onRename={onRename} />
    </Menu>
  );
}

/** Only mounted while the menu is open, because every row has a menu. */
function Choices({ document, segmentId, scope: first, onRename }: Omit<SpeakerMenuProps, "trigger">) {
  const { t } = useTranslation("editor");
  const speakers = useStore(document, (state) => state.speakers);
  const [scope, setScope] = useState<Scope>(first);
  const give = (speaker: string | null) => {
    const state = document.getState();
    const op = assignment(state, state.positions.get(segmentId) ?? -1, scope, speaker);
    if (op) {
      document.actions.edit(op);
    }
  };
  return (
    <>
      <MenuChoice
        label={t("speakers.scope")}
        value={scope}
        options={SCOPES.map((value) => ({ value, label: t(`speakers.scopes.${value}`) }))}
        onChange={setScope}
      />
      <MenuSeparator />
      {speakers.map((speaker) => (
        <MenuItem key={speaker.id} onSelect={() => give(speaker.id)}>
          <SpeakerLabel id={speaker.id} name={speakerName(speaker)} />
        </MenuItem>
      ))}
      <MenuItem onSelect={() => give(freeSpeaker(speakers))}>
        <UserPlus aria-hidden="true" />
        {t("speakers.add")}
      </MenuItem>
      {onRename && (
        <>
          <MenuSeparator />
          <MenuItem onSelect={onRename}>
            <Pencil aria-hidden="true" />
            {t("speakers.rename")}
          </MenuItem>
        </>
      )}
    </>
  );
}
