/** Details of the job and its speakers: a column beside the text, or a drawer on narrow pages. */
import { X } from "lucide-react";
import { Dialog } from "radix-ui";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { Job } from "@/api";
import { playerPreferences } from "@/domain/transcript/player-preferences";
import { useMediaQuery } from "@/hooks/use-media-query";
import { useRestoreFocus } from "@/hooks/use-restore-focus";
import { cx } from "@/lib/class-names";
import { titleOf } from "@/lib/job-title";
import { DebugBox } from "./debug-box";
import type { DocumentStore } from "./document/document-store";
import { type FoundText, JobCard } from "./job-card";
import { PageHead } from "./page-head";
import { SpeakerPanel } from "./speakers/speaker-panel";
import { useSideTop } from "./use-side-top";

export interface SidePanel {
  shown: boolean;
  toggle: () => void;
  show: (visible: boolean) => void;
  /** Whether the page is too narrow for a column. */
  narrow: boolean;
}

/** A drawer opens temporarily; the visibility of the column is remembered. */
export function useSidePanel(): SidePanel {
  const narrow = useMediaQuery("(width < 1024px)");
  const hidden = useStore(playerPreferences, (state) => state.detailsHidden);
  const [drawer, setDrawer] = useState(false);
  const shown = narrow ? drawer : !hidden;
  const show = (next: boolean) => (narrow ? setDrawer(next) : playerPreferences.getState().prefer({ detailsHidden: !next }));
  return { shown, narrow, show, toggle: () => show(!shown) };
}

interface DetailsProps {
  job: Job;
  transcript: FoundText;
  document: DocumentStore;
  editable: boolean;
  /** Bookmarks and highlights. */
  marks: ReactNode;
}

function Details({ job, transcript, document, editable, marks }: DetailsProps) {
  return (
    <>
      <SpeakerPanel job={job} document={document} editable={editable} />
      {marks}
      <JobCard job={job} transcript={transcript} whole />
      <DebugBox job={job} whole />
    </>
  );
}

interface BesideProps extends DetailsProps {
  panel: SidePanel;
  /** Replaces the details while it is open; it stays mounted while closed. */
  assistant: ReactNode;
  assistantOpen: boolean;
  children: ReactNode;
}

/** The text with the column beside it. */
export function WithSidePanel({ panel, assistant, assistantOpen, children, ...details }: BesideProps) {
  const side = useSideTop();
  const { narrow, shown } = panel;
  const inColumn = shown && !narrow && !assistantOpen;
  return (
    <div
      className={cx(
        "grid flex-1 content-start pt-1 pb-[calc(2rem+var(--tour-room,0px))] sm:pt-5",
        assistantOpen
          ? "gap-x-8 lg:grid-cols-[minmax(0,1fr)_21rem] xl:grid-cols-[minmax(0,1fr)_24rem]"
          : inColumn && "gap-x-10 lg:grid-cols-[minmax(0,1fr)_17rem]",
      )}
    >
      <div className="min-w-0">{children}</div>
      {/* Scrolls separately if it does not fit between the header and the dock with its video. */}
      <aside
        ref={side}
        data-testid="side-column"
        className={cx(
          "flex flex-col gap-4 max-lg:hidden lg:sticky lg:top-[calc(var(--header-height)+4rem)] lg:side-height lg:self-start lg:overflow-y-auto",
          !inColumn && !assistantOpen && "hidden",
        )}
      >
        {assistant}
        {inColumn && <Details {...details} />}
      </aside>
      {narrow && shown && (
        <Drawer onClose={() => panel.show(false)}>
          <PageHead title={titleOf(details.job)} sample={details.job.is_sample} className="sm:hidden" />
          <Details {...details} />
        </Drawer>
      )}
    </div>
  );
}

function Drawer({ onClose, children }: { onClose: () => void; children: ReactNode }) {
  const { t } = useTranslation(["transcript", "common"]);
  const focusBack = useRestoreFocus();
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 animate-fade bg-scrim" />
        <Dialog.Content
          {...focusBack}
          aria-describedby={undefined}
          className="fixed inset-y-0 right-0 z-50 flex w-[22rem] max-w-[92vw] animate-fade flex-col border-l border-rule-strong bg-paper shadow-sheet outline-none"
        >
          <header className="flex h-(--header-height) shrink-0 items-center justify-between gap-2 border-b border-rule pr-2 pl-4">
            <Dialog.Title className="headline text-lg">{t("transcript:side.label")}</Dialog.Title>
            <Dialog.Close
              aria-label={t("common:actions.close")}
              className="inline-flex size-(--control) items-center justify-center rounded text-ink-soft hover:bg-paper-sunk hover:text-ink"
            >
              <X aria-hidden="true" className="size-5" />
            </Dialog.Close>
          </header>
          <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto overscroll-contain px-4 py-4 pb-[max(1rem,env(safe-area-inset-bottom))]">
            {children}
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
