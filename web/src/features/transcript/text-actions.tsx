/** What can be done with the finished text: copied, taken along, shared; its past, and another try. */
import { Copy, Download, Ellipsis, History, Keyboard, MessagesSquare, RotateCw, Share2, Signpost } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Job } from "@/api";
import { isRunning } from "@/api/jobs";
import { Button } from "@/components/button";
import { ExportDialog } from "@/components/export";
import { IconButton } from "@/components/icon-button";
import { Menu, MenuItem } from "@/components/menu";
import { CopyButton, useCopyText } from "@/components/transcript/copy-button";
import type { SpokenSegment } from "@/components/transcript/model";
import type { NamedSpeaker } from "@/components/transcript/speakers";
import { useMediaQuery } from "@/hooks/use-media-query";
import { useTranslatedSubtitles } from "./analysis/use-translated-subtitles";
import { OPENER_ID, useAssistantPanel } from "./assistant/use-assistant-panel";
import { useForeign } from "./foreign";
import { useHelp } from "./help/help-store";
import { HistorySheet } from "./history/history-sheet";
import { RerunSheet } from "./rerun/rerun-sheet";
import { ShareDialog } from "./share/share-dialog";
import { useTour } from "./tour/tour-store";

type Opened = "export" | "share" | "history" | "rerun" | null;

interface TextActionsProps {
  job: Job;
  /** The run of recognition that is shown. */
  version: number;
  /** The text as it is now. */
  segments: () => readonly SpokenSegment[];
  /** Who speaks in it, as they are called now. */
  speakers: () => readonly NamedSpeaker[];
  /** Saves what has been typed and not sent yet. */
  flush?: () => Promise<void>;
}

const nothingToSave = () => Promise.resolve();

export function TextActions({ job, version, segments, speakers, flush = nothingToSave }: TextActionsProps) {
  const { t } = useTranslation(["transcript", "sharing", "history", "player"]);
  const [opened, setOpened] = useState<Opened>(null);
  const close = () => setOpened(null);
  const narrow = useMediaQuery("(width < 640px)");
  const copy = useCopyText(segments, speakers);
  const showHelp = useHelp((state) => state.show);
  const startTour = useTour((state) => state.start);
  const translations = useTranslatedSubtitles(job, version, opened === "export");
  const assistant = useAssistantPanel();
  const foreign = useForeign();
  return (
    <div data-tour="take" className="flex max-w-full flex-wrap gap-2">
      {!foreign && (
        <Button
          id={OPENER_ID}
          className="max-sm:hidden"
          aria-expanded={assistant.open}
          onClick={() => assistant.toggle(!assistant.open)}
        >
          <MessagesSquare aria-hidden="true" />
          {t("transcript:assistant")}
        </Button>
      )}
      {/* On a phone there is room for two; copying is in the menu there. */}
      <CopyButton segments={segments} speakers={speakers} className="max-sm:hidden" />
      <Button aria-label={t("transcript:downloads.menu")} onClick={() => setOpened("export")}>
        <Download aria-hidden="true" />
        {t("transcript:downloads.label")}
      </Button>
      {!foreign && (
        <Button onClick={() => setOpened("share")}>
          <Share2 aria-hidden="true" />
          {t("sharing:share.open")}
        </Button>
      )}
      <Menu
        trigger={
          <IconButton label={t("transcript:more")} className="border border-edge bg-paper-raised">
            <Ellipsis aria-hidden="true" />
          </IconButton>
        }
      >
        {narrow && !foreign && (
          <MenuItem onSelect={() => assistant.toggle(true)}>
            <MessagesSquare aria-hidden="true" />
            {t("transcript:assistant")}
          </MenuItem>
        )}
        {narrow && (
          <MenuItem onSelect={() => void copy()}>
            <Copy aria-hidden="true" />
            {t("transcript:text.copy")}
          </MenuItem>
        )}
        {!foreign && (
          <>
            <MenuItem onSelect={() => setOpened("history")}>
              <History aria-hidden="true" />
              {t("history:title")}
            </MenuItem>
            <MenuItem disabled={isRunning(job)} onSelect={() => setOpened("rerun")}>
              <RotateCw aria-hidden="true" />
              {t("history:rerun.open")}
            </MenuItem>
          </>
        )}
        {job.is_sample && !foreign && (
          <MenuItem onSelect={startTour}>
            <Signpost aria-hidden="true" />
            {t("transcript:tour")}
          </MenuItem>
        )}
        <MenuItem onSelect={showHelp}>
          <Keyboard aria-hidden="true" />
          {t("player:more.keys")}
        </MenuItem>
      </Menu>
      {opened === "export" && (
        <ExportDialog
          jobs={[job.my_job_id]}
          name={job.original_filename}
          hasSpeakers={segments().some(({ speaker }) => speaker != null)}
          asked={{ timestamps: job.settings.sentence_level_timestamps, words: job.settings.word_level_timestamps }}
          translations={translations}
          before={flush}
          onClose={close}
        />
      )}
      {opened === "share" && <ShareDialog job={job} onClose={close} />}
      {opened === "history" && <HistorySheet job={job} onClose={close} flush={flush} />}
      {opened === "rerun" && <RerunSheet job={job} onClose={close} flush={flush} />}
    </div>
  );
}
