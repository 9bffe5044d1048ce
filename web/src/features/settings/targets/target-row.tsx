/** A target: where it is, what it has, its last run, and its actions. */
import { CircleAlert, Clock, LoaderCircle, Pause } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type Target, useRunTarget, useUpdateTarget } from "@/api/targets";
import { Button } from "@/components/button";
import { MARK_LOOKS, Mark } from "@/domain/webhooks/marks";
import { useErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { formatDateTime } from "@/lib/format";
import { toast } from "@/lib/toast";
import { placeOf } from "../places/place-of";
import { useProblemText } from "../sources/use-problem-text";
import { formOf } from "./form";

interface TargetRowProps {
  target: Target;
  onEdit: () => void;
  onFiles: () => void;
  onDelete: () => void;
}

export function TargetRow({ target, onEdit, onFiles, onDelete }: TargetRowProps) {
  const { t } = useTranslation(["targets", "sources"]);
  const locale = useLocale();
  const problemText = useProblemText();
  const errorText = useErrorText();
  const runNow = useRunTarget();
  const update = useUpdateTarget();
  const { counts, is_active } = target;
  const named = (action: string) => t("sources:named", { action, name: target.name });
  const run = () => runNow.mutate(target.id, { onError: (error) => toast.error(`${t("run_failed")}. ${errorText(error)}`) });
  const toggle = () =>
    update.mutate(
      { id: target.id, form: { ...formOf(target), is_active: !is_active } },
      {
        onSuccess: () => toast.success(t(is_active ? "sources:paused_now" : "sources:resumed_now")),
        onError: (error) => toast.error(`${t("update_failed")}. ${errorText(error)}`),
      },
    );
  return (
    <li className="flex flex-col gap-3 border-b border-rule py-3.5">
      <div className="flex min-w-0 flex-col gap-1">
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <h3 className="min-w-0 font-strong wrap-anywhere">{target.name}</h3>
          <StateMark target={target} />
        </div>
        <p className="figures text-sm text-ink-soft wrap-anywhere">
          {t(`formats.${target.format}.name`)} · {placeOf(target)}
        </p>
        <p className="text-sm text-ink-soft">
          {t("counts.written", { count: counts.written })}
          {counts.waiting > 0 && ` · ${t("counts.waiting", { count: counts.waiting })}`}
          {counts.foreign > 0 && ` · ${t("counts.foreign", { count: counts.foreign })}`}
          {counts.failed > 0 && ` · ${t("counts.failed", { count: counts.failed })}`}
        </p>
        <p className="text-sm text-ink-faint">
          {target.ran_at ? t("ran", { time: formatDateTime(target.ran_at, locale) }) : t("never_ran")}
        </p>
        {target.problem && <p className="max-w-[60ch] text-sm text-bad">{problemText(target.problem)}</p>}
      </div>
      <fieldset className="flex flex-wrap items-center gap-2">
        <legend className="sr-only">{t("sources:actions_for", { name: target.name })}</legend>
        <Button size="small" aria-label={named(t("files.open"))} onClick={onFiles}>
          {t("files.open")}
        </Button>
        {is_active && (
          <Button size="small" busy={runNow.isPending} aria-label={named(t("run"))} onClick={run}>
            {t("run")}
          </Button>
        )}
        <Button
          size="small"
          busy={update.isPending}
          aria-label={named(t(is_active ? "sources:pause" : "sources:resume"))}
          onClick={toggle}
        >
          {t(is_active ? "sources:pause" : "sources:resume")}
        </Button>
        <Button size="small" aria-label={named(t("sources:edit"))} onClick={onEdit}>
          {t("sources:edit")}
        </Button>
        <Button size="small" aria-label={named(t("delete"))} onClick={onDelete}>
          {t("delete")}
        </Button>
      </fieldset>
    </li>
  );
}

function StateMark({ target: { is_active, is_running, problem } }: { target: Target }) {
  const { t } = useTranslation("targets");
  const state = !is_active ? "paused" : is_running ? "running" : problem ? "problem" : "active";
  const marks = {
    paused: { icon: Pause, look: MARK_LOOKS.off },
    running: { icon: LoaderCircle, look: MARK_LOOKS.note },
    problem: { icon: CircleAlert, look: MARK_LOOKS.bad },
    active: { icon: Clock, look: MARK_LOOKS.good },
  };
  return <Mark {...marks[state]}>{t(`state.${state}`)}</Mark>;
}
