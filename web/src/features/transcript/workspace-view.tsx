/** The finished transcript as a workspace: its views, actions, speakers, and the player. */
import { useQuery } from "@tanstack/react-query";
import { Tabs } from "radix-ui";
import { memo, Suspense, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { Job } from "@/api";
import { mediaLinkQuery } from "@/api/media-link";
import { waveformQuery } from "@/api/waveform";
import { lineAt, spanOfLine } from "@/domain/transcript/line-at";
import { Player } from "@/domain/transcript/player";
import type { PlayerStore } from "@/domain/transcript/player-store";
import { focusQuietly } from "@/domain/transcript/pointer-focus";
import { PrintedText } from "@/domain/transcript/printed-text";
import { SEGMENT_ATTRIBUTE } from "@/domain/transcript/segment-row";
import { selectedSpan as spanOfSelection } from "@/domain/transcript/selected-span";
import { timelineOf } from "@/domain/transcript/timeline";
import { latinKey } from "@/hooks/use-hotkey";
import { usePainted } from "@/hooks/use-painted";
import { useTabInUrl } from "@/lib/history";
import { titleOf } from "@/lib/job-title";
import { AnalysisStrip } from "./analysis-strip";
import { AnnotationPanel } from "./annotations/annotation-panel";
import { useAnnotationKeys } from "./annotations/use-annotation-keys";
import { AssistantSlot } from "./assistant/assistant-slot";
import { useAssistantPanel } from "./assistant/use-assistant-panel";
import { BinNote } from "./bin/bin-note";
import { useCaptionSource } from "./cues/use-caption-source";
import { segmentOf } from "./document/apply";
import type { DocumentStore } from "./document/document-store";
import type { EditedTranscript } from "./document/model";
import { ConflictPanel } from "./editor/conflict-panel";
import { LeaveDialog } from "./editor/leave-dialog";
import { TextTab } from "./editor/text-tab";
import { Toolbar } from "./editor/toolbar";
import { ReplaceSheet } from "./find/replace-sheet";
import { useForeign } from "./foreign";
import { useHelp } from "./help/help-store";
import { withoutSecond } from "./listening/second-from-url";
import { usePlaybackPosition } from "./listening/use-playback-position";
import { RecogniseAgainSheet } from "./recognise-again/recognise-again-sheet";
import { RecogniseAgainStrip } from "./recognise-again/recognise-again-strip";
import { RemovedNote } from "./removed/removed-note";
import { type SidePanel, useSidePanel, WithSidePanel } from "./side-panel";
import { DialogTab } from "./tabs/dialog-tab";
import { LazyAnalysisTab } from "./tabs/lazy-analysis-tab";
import { SearchTab } from "./tabs/search-tab";
import { SegmentsTab } from "./tabs/segments-tab";
import { SubtitlesTab } from "./tabs/subtitles-tab";
import { parseTab, TABS, type Tab } from "./tabs/tab";
import { TourSlot } from "./tour/tour-slot";
import { useTypingPause } from "./use-typing-pause";
import { useWorkspace, type Workspace } from "./workspace";

interface WorkspaceViewProps {
  job: Job;
  transcript: EditedTranscript;
  document: DocumentStore;
  player: PlayerStore;
}

const VIEWS: Record<Tab, (props: { workspace: Workspace }) => React.ReactNode> = {
  text: TextTab,
  dialog: DialogTab,
  search: SearchTab,
  segments: SegmentsTab,
  subtitles: SubtitlesTab,
  analysis: LazyAnalysisTab,
};

export function WorkspaceView({ job, transcript, document, player }: WorkspaceViewProps) {
  const { t } = useTranslation("editor");
  const painted = usePainted();
  const [tab, openTab] = useTabInUrl(parseTab, (next, before) => {
    before.set("tab", next);
    return withoutSecond(before);
  });
  const [replacing, setReplacing] = useState(false);
  const tabList = useActiveTabInView(tab);
  const foreign = useForeign();
  const assistant = useAssistantPanel();
  const side = useSidePanel();
  useTypingPause(document, player);
  usePlaybackPosition({ jobId: job.my_job_id, player, document, own: !foreign });

  const open = (next: Tab) => {
    void document.actions.flush();
    openTab(next);
  };
  const workspace = useWorkspace({ job, transcript, document, player, tab, open });
  useEditKeys(workspace, () => setReplacing(true));
  useAnnotationKeys(workspace.annotations);
  useOpenedNote(workspace, side, assistant);

  return (
    <>
      <Tabs.Root value={tab} activationMode="manual" className="flex flex-1 flex-col sm:mt-1">
        {/* One row on a phone, so that the text starts right below the header. */}
        <div className="z-10 max-sm:sticky max-sm:top-(--header-height) max-sm:-mx-4 max-sm:flex max-sm:flex-wrap max-sm:items-center max-sm:border-b-2 max-sm:border-ink max-sm:bg-paper max-sm:pr-2 max-sm:pl-4 sm:contents">
          <Tabs.List
            ref={tabList}
            aria-label={t("tabs.label")}
            className="flex min-w-0 gap-5 overflow-x-auto max-sm:flex-1 sm:gap-7 sm:border-b-2 sm:border-ink"
          >
            {TABS.map((tabName) => (
              <Tabs.Trigger
                key={tabName}
                value={tabName}
                onMouseDown={focusQuietly}
                onClick={() => open(tabName)}
                className="min-h-11 shrink-0 border-b-[3px] border-transparent pt-1 -outline-offset-2 transition-colors not-data-[state=active]:text-ink-soft hover:text-ink data-[state=active]:border-accent data-[state=active]:font-strong"
              >
                {t(`tabs.${tabName}`)}
              </Tabs.Trigger>
            ))}
          </Tabs.List>
          <Toolbar workspace={workspace} side={side} onReplace={() => setReplacing(true)} />
        </div>
        <WithSidePanel
          panel={side}
          job={job}
          transcript={transcript}
          document={document}
          editable={workspace.editable}
          marks={<AnnotationPanel workspace={workspace} onGone={() => side.narrow && side.show(false)} />}
          assistantOpen={assistant.open && !foreign}
          assistant={
            !foreign && (
              <AssistantSlot
                jobId={job.my_job_id}
                document={document}
                player={player}
                language={transcript.language}
                open={assistant.open}
                onClose={() => assistant.toggle(false)}
              />
            )
          }
        >
          {tab !== "analysis" && <AnalysisStrip job={job} version={transcript.version} onOpen={() => open("analysis")} />}
          <ConflictPanel document={document} />
          {workspace.editable && (
            <Suspense fallback={null}>
              <RecogniseAgainStrip workspace={workspace} />
            </Suspense>
          )}
          {(tab === "text" || tab === "segments") && (
            <>
              <RemovedNote workspace={workspace} />
              <BinNote workspace={workspace} />
            </>
          )}
          {TABS.map((tabName) => {
            const View = VIEWS[tabName];
            return (
              <Tabs.Content key={tabName} value={tabName} tabIndex={-1} className="outline-offset-4">
                <View workspace={workspace} />
              </Tabs.Content>
            );
          })}
        </WithSidePanel>
      </Tabs.Root>
      <PrintedText title={titleOf(job)} language={transcript.language} read={document.getState} />
      <LeaveDialog document={document} />
      {workspace.stretch && (
        <Suspense fallback={null}>
          <RecogniseAgainSheet workspace={workspace} stretch={workspace.stretch} onClose={() => workspace.askAgain(null)} />
        </Suspense>
      )}
      {replacing && <ReplaceSheet document={document} onClose={() => setReplacing(false)} />}
      {painted && <Dock job={job} document={document} player={player} language={transcript.language} />}
      {job.is_sample && !foreign && painted && <TourSlot openText={() => tab !== "text" && open("text")} />}
    </>
  );
}

/** Shows the list of annotations when a note is to be edited. */
function useOpenedNote({ annotations }: Workspace, side: SidePanel, assistant: ReturnType<typeof useAssistantPanel>): void {
  const noting = annotations?.noting ?? null;
  const show = useEffectEvent(() => {
    // Closing the assistant returns the focus to its button.
    if (!side.narrow && assistant.open) {
      assistant.toggle(false);
    }
    side.show(true);
  });
  useEffect(() => {
    if (noting !== null) {
      show();
    }
  }, [noting]);
}

/** Scrolls the open tab into view in the tab bar, which is too wide for a phone; the page itself does not scroll. */
function useActiveTabInView(tab: Tab) {
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another tab is open
  useEffect(() => {
    const active = list.current?.querySelector<HTMLElement>("[data-state=active]");
    if (list.current && active) {
      const { left, right } = list.current.getBoundingClientRect();
      const { left: from, right: to } = active.getBoundingClientRect();
      list.current.scrollLeft += Math.max(0, to - right) - Math.max(0, left - from);
    }
  }, [tab]);
  return list;
}

interface DockProps extends Pick<WorkspaceViewProps, "job" | "document" | "player"> {
  /** Language of the text. */
  language: string;
}

/** The player; not rendered again when the text is edited. */
const Dock = memo(function Dock({ job, document, player, language }: DockProps) {
  const captions = useCaptionSource(document, job.duration ?? 0, language);
  const link = useQuery(mediaLinkQuery(job.my_job_id));
  const { data: peaks } = useQuery(waveformQuery(job.my_job_id));
  const showHelp = useHelp((state) => state.show);
  // It needs the text only when segments are added or removed; the selection is read on demand.
  const positions = useStore(document, (state) => state.positions);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the positions are others when the segments come or go
  const segments = useMemo(() => document.getState().segments, [document, positions]);
  const selectedSpan = useCallback(() => spanOfSelection(getSelection(), timelineOf(document.getState().segments)), [document]);
  const currentLine = useCallback(() => {
    const state = document.getState();
    const written = writtenLine(state);
    return written ? spanOfLine(written) : lineAt(state.segments, player.getState().time);
  }, [document, player]);
  return (
    <Player
      link={link}
      hasVideo={job.has_video}
      segments={segments}
      player={player}
      peaks={peaks}
      track={job.audio_track}
      selectedSpan={selectedSpan}
      currentLine={currentLine}
      captions={captions}
      onHelp={showHelp}
    />
  );
});

/** The line being edited, in any view. */
function writtenLine(text: Parameters<typeof segmentOf>[0]) {
  const field = window.document.activeElement;
  const row = field instanceof HTMLTextAreaElement ? field.closest(`[${SEGMENT_ATTRIBUTE}]`) : null;
  return row && segmentOf(text, row.getAttribute(SEGMENT_ATTRIBUTE) ?? "");
}

/** Fields with an undo of their own. */
const FIELDS = "input:not([type='range']), textarea, select, [contenteditable]";

/** Undo, redo, replace, and assigning speakers by number while a segment is edited. */
function useEditKeys(workspace: Workspace, onReplace: () => void): void {
  const { document: text, editable } = workspace;
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || !editable || (event.target instanceof Element && event.target.closest("[role='dialog']"))) {
      return;
    }
    if (!(event.ctrlKey || event.metaKey) || event.altKey) {
      return;
    }
    const key = latinKey(event).toLowerCase();
    if (key === "h" && !event.shiftKey) {
      event.preventDefault();
      text.actions.commit();
      onReplace();
      return;
    }
    const direction = key === "z" ? (event.shiftKey ? "redo" : "undo") : key === "y" && !event.shiftKey ? "redo" : null;
    if (!direction || (event.target instanceof Element && !mayStep(event.target, text))) {
      return;
    }
    event.preventDefault();
    void text.actions[direction]();
  });
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => handleKey(event);
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}

/** A field's own undo comes first; the segment editor has none after the typed text was saved. */
function mayStep(target: Element, text: DocumentStore): boolean {
  const field = target.closest(FIELDS);
  return field === null || (field.matches("[data-testid='segment-editor'], [data-steps]") && text.getState().draft === null);
}
