/** The engine and time of a result, whether the text was edited since, and its actions. */
import { RotateCw, SlidersHorizontal, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Analysis, EngineName } from "@/api/analysis";
import { Button } from "@/components/button";
import { CONTROL } from "@/components/field";
import { IconButton } from "@/components/icon-button";
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";
import { formatAgo, formatDateTime, formatFullDateTime } from "@/lib/format";
import { useForeign } from "../foreign";
import { useAnalysis } from "./analysis-context";
import { repeatedRequest } from "./model";

interface ResultBarProps {
  shown: Analysis;
  /** All results of the part, the newest first. */
  all: readonly Analysis[];
  onChoose: (id: string) => void;
  /** Whether it can be run now. */
  can: boolean;
  /** Whether this is offered here; for a newer failed run it is offered there. */
  again: boolean;
  /** Opens the form for other options. */
  onChange?: () => void;
}

/** Label of a request, to tell it from others. */
const LABEL_LETTERS = 40;

export function ResultBar({ shown, all, onChoose, can, again, onChange }: ResultBarProps) {
  const { t } = useTranslation("analysis");
  const locale = useLocale();
  const { ask, remove } = useAnalysis();
  const foreign = useForeign();
  const [busy, setBusy] = useState(false);
  const part = t(`parts.${shown.part}`);
  const when = shown.finished_at ?? shown.created_at;
  const labelOf = ({ params: { words, labels, prompt } }: Analysis) => {
    const label = words != null ? t("summary.words", { count: words }) : (prompt ?? labels?.join(", ") ?? "");
    return label && ` · ${label.slice(0, LABEL_LETTERS)}`;
  };
  const repeat = () => {
    setBusy(true);
    ask(repeatedRequest(shown))
      .catch(() => undefined)
      .finally(() => setBusy(false));
  };
  return (
    <div className="text-sm text-ink-faint">
      <div className="flex min-h-8 flex-wrap items-center justify-end gap-x-3">
        <p className="min-w-0 flex-1 basis-48 text-balance wrap-anywhere">
          <Engine engine={shown.engine ?? null} />
          {"\u00a0· "}
          <time dateTime={when} title={formatFullDateTime(when, locale)} className="whitespace-nowrap">
            {formatAgo(when, locale)}
          </time>
        </p>
        <span className="-mr-2 flex shrink-0 items-center gap-1">
          {can && again && (
            <Button
              size="small"
              look={shown.is_stale ? "outline" : "quiet"}
              busy={busy}
              onClick={repeat}
              aria-label={t("result.againOf", { part })}
            >
              <RotateCw aria-hidden="true" />
              {t("result.again")}
            </Button>
          )}
          {can && onChange && (
            <IconButton label={t("result.changeOf", { part })} className="size-8 pointer-coarse:size-11" onClick={onChange}>
              <SlidersHorizontal aria-hidden="true" />
            </IconButton>
          )}
          {!foreign && (
            <IconButton
              label={t("result.remove", { part })}
              className="size-8 pointer-coarse:size-11"
              onClick={() => remove(shown.id)}
            >
              <Trash2 aria-hidden="true" />
            </IconButton>
          )}
        </span>
      </div>
      {(shown.is_stale || all.length > 1) && (
        <div className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1.5">
          {shown.is_stale && <span className="rounded-sm bg-warn-wash px-1.5 py-0.5 text-warn">{t("result.stale")}</span>}
          {all.length > 1 && (
            <select
              aria-label={t("result.older", { part })}
              value={shown.id}
              onChange={(event) => onChoose(event.target.value)}
              className={cx(CONTROL, "h-8 max-w-96 px-2 text-sm text-ellipsis pointer-coarse:h-11")}
            >
              {all.map((result) => (
                <option key={result.id} value={result.id}>
                  {formatDateTime(result.created_at, locale)}
                  {labelOf(result)}
                </option>
              ))}
            </select>
          )}
        </div>
      )}
    </div>
  );
}

function Engine({ engine }: { engine: EngineName | null }) {
  const { t } = useTranslation("analysis");
  const { view } = useAnalysis();
  if (engine?.kind === "endpoint") {
    const { model } = engine;
    const host = view.text_goes_to;
    return host ? t("engine.endpoint", { host, model }) : t("engine.endpointOnly", { model });
  }
  return t("engine.embedded");
}
