/** A source: where it is, what it has brought, and its actions. */
import { CircleAlert, Clock, LoaderCircle, Pause } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type Source, useCheckSource, useUpdateSource } from "@/api/sources";
import { Button } from "@/components/button";
import { MARK_LOOKS, Mark } from "@/domain/webhooks/marks";
import { useErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { formatDateTime } from "@/lib/format";
import { toast } from "@/lib/toast";
import { placeOf } from "../places/place-of";
import { formOf } from "./form";
import { useProblemText } from "./use-problem-text";

interface SourceRowProps {
  source: Source;
  onEdit: () => void;
  onRecordings: () => void;
  onDelete: () => void;
}

export function SourceRow({ source, onEdit, onRecordings, onDelete }: SourceRowProps) {
  const { t } = useTranslation("sources");
  const problemText = useProblemText();
  const errorText = useErrorText();
  const check = useCheckSource();
  const update = useUpdateSource();
  const named = (action: string) => t("named", { action, name: source.name });
  const { counts } = source;

  const checkNow = () =>
    check.mutate(source.id, { onError: (error) => toast.error(`${t("check_failed")}. ${errorText(error)}`) });
  const toggle = () =>
    update.mutate(
      { id: source.id, form: { ...formOf(source), is_active: !source.is_active } },
      {
        onSuccess: () => toast.success(t(source.is_active ? "paused_now" : "resumed_now")),
        onError: (error) => toast.error(`${t("update_failed")}. ${errorText(error)}`),
      },
    );

  return (
    <li className="flex flex-col gap-3 border-b border-rule py-3.5">
      <div className="flex min-w-0 flex-col gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3 className="min-w-0 font-strong wrap-anywhere">{source.name}</h3>
          <StateMark source={source} />
        </div>
        <p className="figures text-sm text-ink-soft wrap-anywhere">
          {t(`kinds.${source.kind}.name`)} · {placeOf(source)}
        </p>
        <p className="text-sm text-ink-soft">
          {source.preset_name ?? t(source.preset_id ? "preset_gone" : "editor.preset_none")}
        </p>
        <p className="text-sm text-ink-soft">
          {t("counts.started", { count: counts.started })}
          {counts.waiting > 0 && ` · ${t("counts.waiting", { count: counts.waiting })}`}
          {counts.failed > 0 && ` · ${t("counts.failed", { count: counts.failed })}`}
          {counts.skipped > 0 && ` · ${t("counts.skipped", { count: counts.skipped })}`}
        </p>
        <Times source={source} />
        {source.problem && <p className="max-w-[60ch] text-sm text-bad">{problemText(source.problem)}</p>}
      </div>
      <fieldset className="flex flex-wrap items-center gap-2">
        <legend className="sr-only">{t("actions_for", { name: source.name })}</legend>
        <Button size="small" aria-label={named(t("recordings.open"))} onClick={onRecordings}>
          {t("recordings.open")}
        </Button>
        {source.is_active && (
          <Button size="small" busy={check.isPending} aria-label={named(t("check"))} onClick={checkNow}>
            {t("check")}
          </Button>
        )}
        <Button
          size="small"
          busy={update.isPending}
          aria-label={named(t(source.is_active ? "pause" : "resume"))}
          onClick={toggle}
        >
          {t(source.is_active ? "pause" : "resume")}
        </Button>
        <Button size="small" aria-label={named(t("edit"))} onClick={onEdit}>
          {t("edit")}
        </Button>
        <Button size="small" aria-label={named(t("delete"))} onClick={onDelete}>
          {t("delete")}
        </Button>
      </fieldset>
    </li>
  );
}

function StateMark({ source: { is_active, is_checking, problem } }: { source: Source }) {
  const { t } = useTranslation("sources");
  if (!is_active) {
    return (
      <Mark icon={Pause} look={MARK_LOOKS.off}>
        {t("state.paused")}
      </Mark>
    );
  }
  if (is_checking) {
    return (
      <Mark icon={LoaderCircle} look={MARK_LOOKS.note}>
        {t("state.checking")}
      </Mark>
    );
  }
  return problem ? (
    <Mark icon={CircleAlert} look={MARK_LOOKS.bad}>
      {t("state.problem")}
    </Mark>
  ) : (
    <Mark icon={Clock} look={MARK_LOOKS.good}>
      {t("state.active")}
    </Mark>
  );
}

/** When it was looked at, and when it will be. */
function Times({ source: { checked_at, next_check_at, is_active, is_checking } }: { source: Source }) {
  const { t } = useTranslation("sources");
  const locale = useLocale();
  const isSoon = Date.parse(next_check_at) <= Date.now();
  const next = isSoon ? t("next_soon") : t("next", { time: formatDateTime(next_check_at, locale) });
  return (
    <p className="text-sm text-ink-faint">
      {checked_at ? t("checked", { time: formatDateTime(checked_at, locale) }) : t("never_checked")}
      {is_active && !is_checking && ` · ${next}`}
    </p>
  );
}
