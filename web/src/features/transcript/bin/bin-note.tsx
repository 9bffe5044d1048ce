/** The bin of a text: removed lines, each with a button to restore it. Nothing if it is empty. */
import { ChevronDown, Trash2, Undo2 } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RemovedLine } from "@/api";
import { Button } from "@/components/button";
import { languageOf } from "@/domain/transcript/languages";
import { releaseFocus } from "@/domain/transcript/pointer-focus";
import { useLocale } from "@/hooks/use-locale";
import { formatClock, formatNumber } from "@/lib/format";
import type { Workspace } from "../workspace";
import { useBin } from "./use-bin";

export function BinNote({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation("editor");
  const locale = useLocale();
  const lines = useBin(workspace);
  const summary = useRef<HTMLElement>(null);
  const [announcement, setAnnouncement] = useState("");
  const putBack = ({ id, revision, start }: RemovedLine) => {
    workspace.document.actions.edit({ kind: "put_back", segments: [{ id, revision }] });
    setAnnouncement(t("bin.isBack", { time: formatClock(start) }));
    // The pressed button disappears.
    summary.current?.focus();
  };
  return (
    <>
      {lines.length > 0 && (
        <details
          data-testid="line-bin"
          className="group mt-4 rounded-lg border border-rule bg-paper-raised px-4 py-1.5 open:pb-4"
        >
          <summary
            ref={summary}
            className="flex min-h-9 cursor-pointer list-none items-center gap-2.5 text-sm pointer-coarse:min-h-11 [&::-webkit-details-marker]:hidden"
          >
            <Trash2 aria-hidden="true" className="size-4.5 shrink-0 text-ink-soft" />
            <span className="min-w-0 grow">
              {t("bin.title")} <span className="figures text-ink-soft">{formatNumber(lines.length, locale)}</span>
            </span>
            <ChevronDown aria-hidden="true" className="size-4 shrink-0 transition-transform group-open:rotate-180" />
          </summary>
          <p className="mt-1 max-w-[70ch] text-sm text-ink-soft">{t("bin.about")}</p>
          <ul className="mt-2 divide-y divide-rule">
            {lines.map((line) => (
              <li key={line.id}>
                <Line line={line} workspace={workspace} onPutBack={() => putBack(line)} />
              </li>
            ))}
          </ul>
        </details>
      )}
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </>
  );
}

interface LineProps {
  line: RemovedLine;
  workspace: Workspace;
  onPutBack: () => void;
}

function Line({ line, workspace: { player, language }, onPutBack }: LineProps) {
  const { start, text } = line;
  const { t } = useTranslation(["editor", "transcript"]);
  const time = formatClock(start);
  return (
    <div className="grid grid-cols-[3.25rem_minmax(0,1fr)] items-start gap-x-2 py-3 sm:grid-cols-[4rem_minmax(0,1fr)_auto]">
      <button
        type="button"
        aria-label={t("transcript:text.segment", { time })}
        onClick={(event) => {
          releaseFocus(event);
          player.getState().playFrom(start);
        }}
        className="figures -ml-1 inline-flex min-h-6 items-center justify-self-start rounded px-1 text-xs text-ink-soft hover:bg-accent-wash hover:text-accent-strong pointer-coarse:min-h-11"
      >
        {time}
      </button>
      <p lang={languageOf(line, language)} className="line-clamp-3 min-w-0 font-serif leading-relaxed [overflow-wrap:anywhere]">
        {text}
      </p>
      <div className="col-start-2 mt-2 sm:col-start-3 sm:mt-0">
        <Button size="small" aria-label={t("bin.putBackOf", { time })} onClick={onPutBack}>
          <Undo2 aria-hidden="true" />
          {t("bin.putBack")}
        </Button>
      </div>
    </div>
  );
}
