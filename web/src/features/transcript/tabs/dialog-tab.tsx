/** The text as a conversation. */
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { DialogView } from "@/domain/transcript/dialog-view";
import { timelineOf } from "@/domain/transcript/timeline";
import type { Workspace } from "../workspace";

export function DialogTab({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation("editor");
  const { job, document, player, language } = workspace;
  const segments = useStore(document, (state) => state.segments);
  const speakers = useStore(document, (state) => state.speakers);
  return (
    <>
      <h3 className="sr-only">{t("tabs.dialog")}</h3>
      {speakers.length === 0 && <p className="mb-4 max-w-[60ch] text-sm text-ink-soft">{t("dialog.noSpeakers")}</p>}
      <DialogView
        segments={segments}
        speakers={speakers}
        timeline={timelineOf(segments)}
        player={player}
        language={language}
        timed={job.settings.sentence_level_timestamps}
      />
    </>
  );
}
