/**
 * Questions about this transcript: beside the text on a wide page, where the player stays visible; a full-page sheet on
 * a narrow one. Once opened it stays mounted while it is closed, so that a running answer is not lost.
 */
import { X } from "lucide-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "@/components/icon-button";
import { Sheet } from "@/components/sheet";
import type { PlayerStore } from "@/domain/transcript/player-store";
import { useMediaQuery } from "@/hooks/use-media-query";
import type { DocumentStore } from "../document/document-store";
import { ClearButton } from "./clear-button";
import { canAsk, QuestionForm } from "./question-form";
import { Thread } from "./thread";
import { useConversation } from "./use-conversation";

export interface AssistantProps {
  jobId: string;
  document: DocumentStore;
  player: PlayerStore;
  /** Language of the recording. */
  language: string;
  open: boolean;
  onClose: () => void;
}

export function Assistant({ jobId, document, player, language, open, onClose }: AssistantProps) {
  const { t } = useTranslation("analysis");
  const narrow = useMediaQuery("(width < 1024px)");
  const conversation = useConversation(jobId, document.actions.flush);
  const play = (seconds: number) => {
    player.getState().playFrom(seconds);
    // On a narrow page the sheet covers the player.
    if (narrow) onClose();
  };
  if (!open) {
    return null;
  }
  const thread = <Thread conversation={conversation} onPlay={play} language={language} />;
  // Without an assistant there is no form to ask.
  const foot = canAsk(conversation) && (
    <>
      <ClearButton conversation={conversation} />
      <QuestionForm conversation={conversation} />
    </>
  );
  return narrow ? (
    <Sheet
      title={t("assistant.title")}
      onClose={onClose}
      className="flex flex-col"
      footer={foot && <div className="w-full">{foot}</div>}
    >
      {thread}
    </Sheet>
  ) : (
    <SidePanel onClose={onClose} foot={foot}>
      {thread}
    </SidePanel>
  );
}

interface SidePanelProps {
  onClose: () => void;
  foot: React.ReactNode;
  children: React.ReactNode;
}

/** Ends above the dock, also while the page's header is visible. */
function SidePanel({ onClose, foot, children }: SidePanelProps) {
  const { t } = useTranslation("analysis");
  return (
    <section
      aria-label={t("assistant.title")}
      onKeyDown={(event) => {
        if (event.key === "Escape" && !event.defaultPrevented) {
          event.stopPropagation();
          onClose();
        }
      }}
      className="flex h-[calc(100dvh-var(--side-top,15rem)-7rem-var(--video-height,0px))] min-h-80 flex-col rounded-lg border border-rule-strong bg-paper-raised"
    >
      <header className="flex shrink-0 items-center justify-between gap-2 border-b border-rule py-1.5 pr-1.5 pl-4">
        <h3 className="headline text-lg">{t("assistant.title")}</h3>
        <IconButton label={t("assistant.close")} onClick={onClose}>
          <X aria-hidden="true" />
        </IconButton>
      </header>
      {/* Also contains content for screen readers only, which outside of it would make the whole column scroll. */}
      <div className="relative flex min-h-0 flex-1 flex-col overflow-y-auto overscroll-contain px-4 py-3">{children}</div>
      {foot && <footer className="shrink-0 border-t border-rule px-3 py-2.5">{foot}</footer>}
    </section>
  );
}
