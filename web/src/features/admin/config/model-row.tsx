/** A model: description, state, current task and actions. */
import { Check, CircleDashed, Download, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type ManagedModel, type ModelAction, useModelAction } from "@/api/admin-config";
import { Button } from "@/components/button";
import { InlineConfirm } from "@/components/inline-confirm";
import { useErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";
import { formatBytes } from "@/lib/format";
import { toast } from "@/lib/toast";
import { ModelOutcome } from "./model-outcome";
import { ModelProgress } from "./model-progress";
import { ModelUse } from "./model-use";

const SIGNS = {
  installed: { icon: Check, look: "text-good" },
  unverified: { icon: TriangleAlert, look: "text-warn" },
  missing: { icon: CircleDashed, look: "text-ink-faint" },
} as const;

/** The models for speakers and for the embedded analysis are loaded at start only. */
const AFTER_RESTART = new Set(["speakers", "sentences"]);

export function ModelRow({ model }: { model: ManagedModel }) {
  const { t } = useTranslation("admin-config");
  const locale = useLocale();
  const { id, kind, bytes, memory_bytes, fit, state, used_by, task, ended } = model;
  const sign = SIGNS[state];
  const purpose = kind === "speech" && !model.multilingual ? "speech_english" : kind;
  const isNew = ended?.kind === "pull" && ended.failure === null && !ended.cancelled;
  return (
    <li className="flex flex-col gap-2 py-3">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-0 flex-1 basis-72">
          <p className="flex flex-wrap items-baseline gap-x-3 gap-y-1">
            <span className="font-mono text-sm font-strong">{id}</span>
            {used_by.map((use) => (
              <span key={use} className="rounded-sm bg-accent-wash px-1.5 py-px text-xs text-accent">
                {t(`models.used_by.${use}`)}
              </span>
            ))}
          </p>
          <p className="mt-1 flex flex-wrap gap-x-3 gap-y-0.5 text-sm text-ink-soft">
            <span>{t(`models.kind.${purpose}`)}</span>
            <span className="figures">{formatBytes(bytes, locale)}</span>
            {kind === "speech" && (
              <span className="figures text-ink-faint">{t("models.memory", { size: formatBytes(memory_bytes, locale) })}</span>
            )}
            {(fit === "tight" || fit === "too_large") && <span className="text-warn">{t(`models.fit.${fit}`)}</span>}
          </p>
        </div>
        <p className={cx("flex min-h-8 items-center gap-1.5 text-sm", sign.look)}>
          <sign.icon aria-hidden="true" className="size-4 shrink-0" />
          {t(`models.state.${state}`)}
        </p>
        <Actions model={model} />
      </div>
      <Facts model={model} />
      {task ? (
        <ModelProgress id={id} task={task} />
      ) : (
        ended && (
          <>
            <ModelOutcome end={ended} />
            {isNew && AFTER_RESTART.has(kind) && <p className="text-sm text-warn">{t("models.restart")}</p>}
          </>
        )
      )}
    </li>
  );
}

function Facts({ model: { origin, licence, partial_bytes, state, task } }: { model: ManagedModel }) {
  const { t } = useTranslation("admin-config");
  const locale = useLocale();
  const facts = [
    origin && t(`models.facts.origin.${origin.way}`, { from: new Intl.ListFormat(locale).format(origin.from) }),
    state !== "missing" && t("models.facts.licence", { licence }),
    partial_bytes > 0 && !task && t("models.facts.partial", { size: formatBytes(partial_bytes, locale) }),
  ].filter((fact) => typeof fact === "string");
  return facts.length > 0 && <p className="text-xs text-ink-faint wrap-anywhere">{facts.join(" · ")}</p>;
}

function Actions({ model }: { model: ManagedModel }) {
  const { id, state, used_by, task, partial_bytes } = model;
  const { t } = useTranslation("admin-config");
  const errorText = useErrorText();
  const { mutateAsync, isPending, variables } = useModelAction();
  const named = (action: "pull" | "resume" | "cancel" | "verify" | "remove") =>
    t("models.named", { action: t(`models.${action}`), id });

  const act = async (action: ModelAction) => {
    try {
      await mutateAsync({ id, action });
      if (action === "remove") toast.success(t("models.removed"));
    } catch (error) {
      const failed = action === "remove" ? "remove_failed" : action === "cancel" ? "cancel_failed" : "start_failed";
      toast.error(`${t(`models.${failed}`)}. ${errorText(error)}`);
    }
  };
  const busy = (action: ModelAction) => isPending && variables?.action === action;

  if (task) {
    return (
      task.here &&
      task.kind === "pull" && (
        <Button size="small" aria-label={named("cancel")} busy={busy("cancel")} onClick={() => void act("cancel")}>
          {t("models.cancel")}
        </Button>
      )
    );
  }
  const isInstalled = state !== "missing";
  const pull = partial_bytes > 0 ? "resume" : "pull";
  return (
    <div className="flex flex-wrap items-center gap-2 max-sm:w-full sm:justify-end">
      <ModelUse model={model} />
      {isInstalled ? (
        <Button size="small" aria-label={named("verify")} busy={busy("verify")} onClick={() => void act("verify")}>
          {t("models.verify")}
        </Button>
      ) : (
        <Button size="small" aria-label={named(pull)} busy={busy("pull")} onClick={() => void act("pull")}>
          <Download aria-hidden="true" />
          {t(`models.${pull}`)}
        </Button>
      )}
      {isInstalled && used_by.length === 0 && (
        <InlineConfirm
          label={t("models.remove")}
          description={named("remove")}
          question={t("models.remove_question")}
          confirm={t("models.remove_yes")}
          onConfirm={() => act("remove")}
        />
      )}
    </div>
  );
}
