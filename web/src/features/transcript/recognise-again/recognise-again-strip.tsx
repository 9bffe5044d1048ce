/** A stretch that is recognised again: how far it is, and then what came of it, until it is dismissed. */
import { CircleAlert, CircleCheck, Play, RotateCw, Undo2, X } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { Stretch as StretchState } from "@/api";
import { Button } from "@/components/button";
import { IconButton } from "@/components/icon-button";
import { ProgressLine } from "@/components/progress-line";
import { useLanguageNames } from "@/domain/settings/settings-words";
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";
import { formatClock, formatPercent } from "@/lib/format";
import { hasProblemText } from "@/lib/problem-codes";
import type { Workspace } from "../workspace";
import { isActive } from "./api";
import { useStretches } from "./use-stretches";

export function RecogniseAgainStrip({ workspace }: { workspace: Workspace }) {
  const stretches = useStretches(workspace);
  const active = stretches.find(isActive);
  // The end of a stretch is shown only where its progress was shown.
  const [watched, setWatched] = useState<string | null>(null);
  const activeId = active?.id;
  useEffect(() => {
    if (activeId) {
      setWatched(activeId);
    }
  }, [activeId]);
  const shown = active ?? stretches.find(({ id }) => id === watched);
  const words = useWords();
  return (
    <>
      {shown && <Strip workspace={workspace} stretch={shown} onDismiss={() => setWatched(null)} />}
      <p role="status" className="sr-only">
        {shown ? words(shown) : ""}
      </p>
    </>
  );
}

interface StripProps {
  workspace: Workspace;
  stretch: StretchState;
  onDismiss: () => void;
}

const WASHES = { active: "bg-voice-wash", done: "bg-paper-raised", failed: "bg-warn-wash" } as const;

function Strip({ workspace, stretch, onDismiss }: StripProps) {
  const { t } = useTranslation("again");
  const locale = useLocale();
  const words = useWords();
  const { document, player, askAgain } = workspace;
  const { start, end, percent, seq } = stretch;
  // Undo takes this page's newest edit back, which has to be this one.
  const canUndo = useStore(
    document,
    (state) =>
      state.canUndo && state.draft === null && state.recognisedAgain === seq && state.seq === seq && !document.actions.unsaved(),
  );
  // An edit may have been queued since the last render.
  const undo = () => {
    if (!document.actions.unsaved()) {
      void document.actions.undo();
    }
  };
  const state = isActive(stretch) ? "active" : stretch.status === "done" ? "done" : "failed";
  return (
    <section
      aria-label={t("title")}
      data-testid="again"
      data-state={state}
      className={cx("mt-4 rounded-lg border border-rule-strong px-4 py-2.5", WASHES[state])}
    >
      <div className="flex items-start gap-x-3">
        {state === "done" && <CircleCheck aria-hidden="true" className="mt-1.5 size-4.5 shrink-0 text-good" />}
        {state === "failed" && <CircleAlert aria-hidden="true" className="mt-1.5 size-4.5 shrink-0 text-warn" />}
        <div className="flex min-w-0 flex-1 flex-wrap items-start gap-x-3 gap-y-2">
          <p className="min-w-48 flex-1 py-1 text-pretty">{words(stretch)}</p>
          {state === "active" && <span className="figures py-1.5 text-sm text-voice-ink">{formatPercent(percent, locale)}</span>}
          {state !== "active" && (
            <div className="flex flex-wrap gap-2">
              {state === "done" && (
                <Button size="small" onClick={() => player.getState().playOnce({ from: start, to: end })}>
                  <Play aria-hidden="true" />
                  {t("listen")}
                </Button>
              )}
              {state === "done" && canUndo && (
                <Button size="small" onClick={undo}>
                  <Undo2 aria-hidden="true" />
                  {t("undo")}
                </Button>
              )}
              {state === "failed" && (
                <Button size="small" onClick={() => askAgain({ start, end })}>
                  <RotateCw aria-hidden="true" />
                  {t("retry")}
                </Button>
              )}
            </div>
          )}
        </div>
        {state !== "active" && (
          <IconButton label={t("dismiss")} className="-mt-1 -mr-2 shrink-0" onClick={onDismiss}>
            <X aria-hidden="true" />
          </IconButton>
        )}
      </div>
      {state === "active" && <ProgressLine label={words(stretch)} percent={percent} className="mt-2 bg-paper-sunk" />}
    </section>
  );
}

/** What is to be said about a stretch. */
function useWords(): (stretch: StretchState) => string {
  const { t } = useTranslation(["again", "problems"]);
  const namesOf = useLanguageNames();
  return ({ start, end, status, found_language, error }) => {
    const span = { from: formatClock(start), to: formatClock(end) };
    switch (status) {
      case "waiting":
        return t("again:waiting", span);
      case "running":
        return t("again:running", span);
      case "done":
        return found_language ? t("again:doneIn", { ...span, language: namesOf([found_language]) }) : t("again:done", span);
      default: {
        const code = error ?? "";
        const reason = hasProblemText("stretch", code)
          ? t(`problems:stretch.${code}`)
          : hasProblemText("job", code)
            ? t(`problems:job.${code}`)
            : t("problems:codes.unexpected");
        return `${t("again:failed", span)} ${reason}`;
      }
    }
  };
}
