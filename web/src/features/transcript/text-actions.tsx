/**
 * Actions on the finished text: copy, export, share, history and another run. Part of the toolbar, or of its menu if
 * there is no room.
 */
import {
  Copy,
  Download,
  Ellipsis,
  History,
  Keyboard,
  MessagesSquare,
  PanelRight,
  RotateCw,
  Share2,
  Signpost,
} from "lucide-react";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Job } from "@/api";
import { isRunning } from "@/api/jobs";
import { Button } from "@/components/button";
import { IconButton } from "@/components/icon-button";
import { Menu, MenuItem } from "@/components/menu";
import { ExportDialog } from "@/domain/export";
import { useCopyText } from "@/domain/transcript/copy-button";
import type { SpokenSegment } from "@/domain/transcript/model";
import type { NamedSpeaker } from "@/domain/transcript/speakers";
import { useMediaQuery } from "@/hooks/use-media-query";
import { fileStemOf } from "@/lib/job-title";
import { useTranslatedSubtitles } from "./analysis/use-translated-subtitles";
import { OPENER_ID, useAssistantPanel } from "./assistant/use-assistant-panel";
import { useForeign } from "./foreign";
import { useHelp } from "./help/help-store";
import { HistorySheet } from "./history/history-sheet";
import { RerunSheet } from "./rerun/rerun-sheet";
import { ShareDialog } from "./share/share-dialog";
import type { SidePanel } from "./side-panel";
import { useTour } from "./tour/tour-store";

type OpenDialog = "export" | "share" | "history" | "rerun" | null;

interface TextActionsProps {
  job: Job;
  /** The run that is shown. */
  version: number;
  /** Returns the current text. */
  segments: () => readonly SpokenSegment[];
  /** Returns the speakers with their current names. */
  speakers: () => readonly NamedSpeaker[];
  /** Saves pending edits. */
  flush: () => Promise<void>;
  side: SidePanel;
  /** Icons without labels, even if there is room for labels. */
  compact?: boolean;
  /** Additional items of the menu. */
  children?: ReactNode;
}

export function TextActions({ job, version, segments, speakers, flush, side, compact = false, children }: TextActionsProps) {
  const { t } = useTranslation(["transcript", "sharing", "history", "player"]);
  const [opened, setOpened] = useState<OpenDialog>(null);
  const close = () => setOpened(null);
  const phone = useMediaQuery("(width < 640px)");
  const copy = useCopyText(segments, speakers);
  const showHelp = useHelp((state) => state.show);
  const startTour = useTour((state) => state.start);
  const translations = useTranslatedSubtitles(job, version, opened === "export");
  const assistant = useAssistantPanel();
  const foreign = useForeign();
  return (
    <div data-tour="take" data-takes-focus="" className="ml-auto flex items-center gap-x-1">
      {!side.narrow && !foreign && (
        <Button
          id={OPENER_ID}
          size="small"
          title={t("transcript:assistant")}
          className={compact ? "px-2" : "max-xl:px-2"}
          aria-expanded={assistant.open}
          onClick={() => assistant.toggle(!assistant.open)}
        >
          <MessagesSquare aria-hidden="true" />
          <span className={compact ? "sr-only" : "max-xl:sr-only"}>{t("transcript:assistant")}</span>
        </Button>
      )}
      {!phone && (
        <Button
          size="small"
          aria-label={t("transcript:downloads.menu")}
          title={t("transcript:downloads.menu")}
          className={compact ? "px-2" : "max-xl:px-2"}
          onClick={() => setOpened("export")}
        >
          <Download aria-hidden="true" />
          <span className={compact ? "sr-only" : "max-xl:sr-only"}>{t("transcript:downloads.label")}</span>
        </Button>
      )}
      {!side.narrow && (
        <IconButton label={t("transcript:text.copy")} onClick={() => void copy()}>
          <Copy aria-hidden="true" />
        </IconButton>
      )}
      {!side.narrow && !foreign && (
        <IconButton label={t("sharing:share.open")} onClick={() => setOpened("share")}>
          <Share2 aria-hidden="true" />
        </IconButton>
      )}
      <IconButton
        label={t("transcript:side.label")}
        aria-expanded={side.shown && !(assistant.open && !side.narrow)}
        aria-haspopup={side.narrow ? "dialog" : undefined}
        onClick={() => {
          // Both use the same place beside the text: opening one closes the other.
          if (assistant.open && !side.narrow) {
            assistant.toggle(false);
            side.show(true);
          } else {
            side.toggle();
          }
        }}
      >
        <PanelRight aria-hidden="true" />
      </IconButton>
      <Menu
        align="end"
        trigger={
          <IconButton label={t("transcript:more")} {...(side.narrow && { id: OPENER_ID })}>
            <Ellipsis aria-hidden="true" />
          </IconButton>
        }
      >
        {children}
        {side.narrow && !foreign && (
          <MenuItem onSelect={() => assistant.toggle(true)}>
            <MessagesSquare aria-hidden="true" />
            {t("transcript:assistant")}
          </MenuItem>
        )}
        {side.narrow && (
          <MenuItem onSelect={() => void copy()}>
            <Copy aria-hidden="true" />
            {t("transcript:text.copy")}
          </MenuItem>
        )}
        {phone && (
          <MenuItem onSelect={() => setOpened("export")}>
            <Download aria-hidden="true" />
            {t("transcript:downloads.label")}
          </MenuItem>
        )}
        {side.narrow && !foreign && (
          <MenuItem onSelect={() => setOpened("share")}>
            <Share2 aria-hidden="true" />
            {t("sharing:share.open")}
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
          name={fileStemOf(job)}
          hasSpeakers={segments().some(({ speaker }) => speaker != null)}
          speakers={speakers()}
          asked={{ timestamps: job.settings.sentence_level_timestamps, words: job.settings.word_level_timestamps }}
          translations={translations}
          own={!foreign}
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
