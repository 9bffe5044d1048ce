/**
 * Passages that the engine removed because nobody spoke or they were not recognised: how much, where, why, and a button to restore them. Hidden if
 * there are none.
 */
import { Check, ChevronDown, RotateCw, Undo2, VolumeX } from "lucide-react";
import { Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import type { RemovedPassage } from "@/api";
import { Button } from "@/components/button";
import { releaseFocus } from "@/domain/transcript/pointer-focus";
import { useLocale } from "@/hooks/use-locale";
import { formatClock, formatPercent } from "@/lib/format";
import type { Workspace } from "../workspace";
import { useRemoved } from "./use-removed";

export function RemovedNote({ workspace }: { workspace: Workspace }) {
  const passages = useRemoved(workspace);
  return (
    passages.length > 0 && (
      // Its translations are loaded only if needed; nothing else waits for them.
      <Suspense fallback={null}>
        <Note passages={passages} workspace={workspace} />
      </Suspense>
    )
  );
}

function Note({ passages, workspace }: { passages: readonly RemovedPassage[]; workspace: Workspace }) {
  const { t } = useTranslation("removed");
  const positions = useStore(workspace.document, (state) => state.positions);
  // Only at first: from then on the reader opens and closes it.
  const [isEmpty] = useState(positions.size === 0);
  const back = passages.filter(({ segment }) => positions.has(segment)).length;
  return (
    <details
      data-testid="removed"
      // Without any text, the passages are all that there is.
      open={isEmpty}
      className="group mt-4 mb-3 rounded-lg border border-rule bg-paper-raised px-4 py-1.5 open:pb-4"
    >
      <summary className="flex min-h-9 cursor-pointer list-none items-center gap-2.5 text-sm pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden">
        <VolumeX aria-hidden="true" className="size-4.5 shrink-0 text-ink-soft" />
        <span className="min-w-0 grow">
          {t("title", { count: passages.length })}
          {back > 0 && <span className="text-ink-soft"> · {t("backCount", { count: back })}</span>}
        </span>
        <ChevronDown aria-hidden="true" className="size-4 shrink-0 transition-transform group-open:rotate-180" />
      </summary>
      <p className="mt-1 max-w-[70ch] text-sm text-ink-soft">{t("about")}</p>
      <ul className="mt-2 divide-y divide-rule">
        {passages.map((passage) => (
          <li key={passage.number}>
            <Passage passage={passage} back={positions.has(passage.segment)} workspace={workspace} />
          </li>
        ))}
      </ul>
    </details>
  );
}

interface PassageProps {
  passage: RemovedPassage;
  /** Whether it is back in the text. */
  back: boolean;
  workspace: Workspace;
}

function Passage({ passage, back, workspace }: PassageProps) {
  const { t } = useTranslation("removed");
  const locale = useLocale();
  const { document, player, language, askAgain } = workspace;
  const { number, start, end, text, reason, voiced, confidence } = passage;
  const clock = formatClock(start);
  const request = usePutBackRequest(back, workspace);
  const reasonId = `removed-${number}`;
  return (
    <div className="grid grid-cols-[3.25rem_minmax(0,1fr)] items-start gap-x-2 py-3 sm:grid-cols-[4rem_minmax(0,1fr)_auto]">
      <button
        type="button"
        aria-label={t("play", { time: clock })}
        onClick={(event) => {
          releaseFocus(event);
          player.getState().playFrom(start);
        }}
        className="figures -ml-1 inline-flex min-h-6 items-center justify-self-start rounded px-1 text-xs text-ink-soft hover:bg-accent-wash hover:text-accent-strong pointer-coarse:min-h-11"
      >
        {clock}
      </button>
      <div className="min-w-0">
        {text === "" ? (
          <p id={reasonId}>{t("unrecognised.label")}</p>
        ) : (
          <>
            <p lang={language} className="line-clamp-3 font-serif leading-relaxed [overflow-wrap:anywhere]">
              {text}
            </p>
            <p id={reasonId} className="text-sm text-ink-soft">
              {t(`reasons.${reason}`)}{" "}
              {t("evidence", { voiced: formatPercent(voiced * 100, locale), sure: formatPercent(confidence * 100, locale) })}
            </p>
          </>
        )}
      </div>
      <div className="col-start-2 mt-2 flex flex-wrap gap-2 sm:col-start-3 sm:mt-0 sm:flex-col">
        {reason === "unrecognised" && (
          <Button
            size="small"
            look="outline"
            aria-label={t("unrecognised.againOf", { from: clock, to: formatClock(end) })}
            aria-describedby={reasonId}
            onClick={() => askAgain({ start, end })}
          >
            <RotateCw aria-hidden="true" />
            {t("unrecognised.again")}
          </Button>
        )}
        {/* One button for both states, so that it keeps the focus. */}
        {text !== "" && (
          <Button
            size="small"
            look={back ? "quiet" : "outline"}
            busy={request.waits}
            aria-disabled={back || undefined}
            aria-label={t(back ? "isBack" : "bringBackOf", { time: clock })}
            aria-describedby={reasonId}
            onClick={() => {
              if (!back) {
                request.ask();
                document.actions.edit({ kind: "bring_back", passage: number });
              }
            }}
          >
            {back ? <Check aria-hidden="true" /> : !request.waits && <Undo2 aria-hidden="true" />}
            {t(back ? "back" : "bringBack")}
          </Button>
        )}
        <span role="status" className="sr-only">
          {request.was && back ? t("isBack", { time: clock }) : ""}
        </span>
      </div>
    </div>
  );
}

/** Whether the reader has requested it here and the server has not answered yet. An error ends the waiting. */
function usePutBackRequest(back: boolean, { document }: Workspace) {
  const [was, setWas] = useState(false);
  const saving = useStore(document, ({ status }) => status === "saving");
  return { was, waits: was && !back && saving, ask: () => setWas(true) };
}
