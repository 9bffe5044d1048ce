/**
 * Above the list: the waveform with its blocks, the tools for the selected subtitle, and navigation to those over the
 * limits.
 */
import { ChevronDown, ChevronUp, WandSparkles, ZoomIn, ZoomOut } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { IconButton } from "@/components/icon-button";
import { COVER_ATTRIBUTE } from "@/domain/transcript/page-scroll";
import { BLOCK_KEYS_ID } from "./cue-block";
import type { CueEditor } from "./cue-editor";
import type { CueStore } from "./cue-store";
import { type RunTool, ToolButtons } from "./tools";
import type { StripView } from "./use-strip-view";

interface CueBarProps {
  strip: React.ReactNode;
  handle: { current: StripView | null };
  store: CueStore;
  editor: CueEditor;
  run: RunTool;
  editable: boolean;
  /** Number of subtitles over the limits; null while unknown. */
  over: number | null;
  onOver: (step: 1 | -1) => void;
  onCorrect: () => void;
}

const BUTTON = "size-8! pointer-coarse:size-11!";

export function CueBar({ strip, handle, store, editor, run, editable, over, onOver, onCorrect }: CueBarProps) {
  const { t } = useTranslation("editor");
  const chosen = useStore(store, (state) => state.chosen);
  const announcement = useStore(store, (state) => state.announcement);
  const cue = chosen ? editor.cue(chosen) : undefined;
  const none = !over;
  return (
    <div
      {...{ [COVER_ATTRIBUTE]: "" }}
      className="z-[5] mb-2 bg-paper pt-1 [@media(min-height:500px)]:sticky max-sm:[@media(min-height:500px)]:top-[calc(var(--header-height)+2.875rem)] sm:[@media(min-height:500px)]:top-[calc(var(--header-height)+var(--control)+0.75rem)]"
    >
      {strip}
      {editable && (
        <p id={BLOCK_KEYS_ID} className="sr-only">
          {t("cues.blockKeys")}
        </p>
      )}
      {/* Its buttons never appear or disappear, so that the list below does not move. */}
      {/* biome-ignore lint/a11y/useSemanticElements: a group of buttons, not of form fields */}
      <div
        role="group"
        aria-label={t("cues.toolbar")}
        className="flex flex-wrap items-center gap-x-0.5 border-b border-rule py-1"
      >
        <IconButton label={t("cues.zoomOut")} shortcut="−" className={BUTTON} onClick={() => handle.current?.zoom(-1)}>
          <ZoomOut aria-hidden="true" />
        </IconButton>
        <IconButton label={t("cues.zoomIn")} shortcut="+" className={BUTTON} onClick={() => handle.current?.zoom(1)}>
          <ZoomIn aria-hidden="true" />
        </IconButton>
        {editable && (
          // On a phone they are in the menu of each row.
          <div className="hidden items-center gap-x-0.5 sm:flex sm:flex-wrap">
            <span aria-hidden="true" className="mx-1 h-5 w-px bg-rule" />
            <ToolButtons cue={cue} run={run} />
          </div>
        )}
        <div className="ml-auto flex items-center gap-x-0.5">
          <IconButton
            label={t("cues.previousOver")}
            shortcut="⇧ F8"
            className={BUTTON}
            aria-disabled={none}
            onClick={() => !none && onOver(-1)}
          >
            <ChevronUp aria-hidden="true" />
          </IconButton>
          <IconButton
            label={t("cues.nextOver")}
            shortcut="F8"
            className={BUTTON}
            aria-disabled={none}
            onClick={() => !none && onOver(1)}
          >
            <ChevronDown aria-hidden="true" />
          </IconButton>
          {editable && (
            <IconButton
              label={t("cues.correct.open")}
              className={BUTTON}
              aria-disabled={none}
              onClick={() => !none && onCorrect()}
            >
              <WandSparkles aria-hidden="true" />
            </IconButton>
          )}
        </div>
      </div>
      <p role="status" data-testid="cue-told" className="line-clamp-2 h-11 pt-1 text-sm text-ink-soft sm:line-clamp-1 sm:h-6.5">
        {announcement}
      </p>
    </div>
  );
}
