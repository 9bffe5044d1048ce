/** A visitor's unsaved edit: compared with the current text, or with the error; it can always be copied. */
import { GitCompareArrows, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import { Button } from "@/components/button";
import { CONTROL } from "@/components/field";
import { useErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { useViolationText } from "@/hooks/use-violation-text";
import { copyText } from "@/lib/clipboard";
import { toast } from "@/lib/toast";
import { isGone } from "./api";
import { type EditingState, useEditingContext } from "./editing";
import type { Draft } from "./edits";

/** Shown under its line if there is an unsaved draft. */
export function UnsavedNote({ line }: { line: string }) {
  const editing = useEditingContext();
  const draft = editing?.drafts.get(line);
  if (!editing || !draft || draft.state === "sending" || draft.version !== editing.version) return null;
  return <Unsaved draft={draft} editing={editing} placed />;
}

interface UnsavedProps {
  draft: Draft;
  editing: EditingState;
  /** Its line exists, in the run that it was written for. */
  placed: boolean;
}

export function Unsaved({ draft, editing, placed }: UnsavedProps) {
  const { t } = useTranslation("sharing");
  const locale = useLocale();
  const { state, line, text } = draft;
  if (state === "sending") return null;
  const remote = state.kind === "conflict" ? state.theirs : null;
  const isConflict = state.kind === "conflict" && remote !== null && placed;
  const Sign = isConflict ? GitCompareArrows : TriangleAlert;
  const copy = async () => {
    if (await copyText(text)) toast.success(t("page.editing.copied"));
    else toast.error(t("page.editing.copyFailed"));
  };
  return (
    <div lang={locale} data-testid="unsaved" className="mt-2 mb-3 rounded border border-rule-strong bg-warn-wash p-3">
      <p role="alert" className="flex items-start gap-2 text-[0.9375rem]">
        <Sign aria-hidden="true" className="mt-0.5 size-4 shrink-0 text-warn" />
        <Why draft={draft} placed={placed} />
      </p>
      <div className="mt-2 grid gap-3 sm:grid-cols-2">
        <label className={isConflict ? "min-w-0" : "min-w-0 sm:col-span-2"}>
          <span className="kicker">{t("page.editing.mine")}</span>
          <textarea
            rows={3}
            value={text}
            className={`${CONTROL} mt-1 h-auto min-h-20 resize-y py-2 font-serif leading-relaxed`}
            onChange={({ currentTarget }) => editing.amend(line, currentTarget.value)}
          />
        </label>
        {isConflict && (
          <div className="min-w-0">
            <p className="kicker">{t("page.editing.theirs")}</p>
            <p className="mt-1 font-serif leading-relaxed wrap-anywhere">{remote.text}</p>
          </div>
        )}
      </div>
      <div className="mt-3 flex flex-wrap gap-2">
        {isConflict ? (
          <Button size="small" look="primary" onClick={() => editing.retry(line, remote.revision)}>
            {t("page.editing.keepMine")}
          </Button>
        ) : (
          placed &&
          editing.may && (
            <Button size="small" look="primary" onClick={() => editing.retry(line)}>
              {t("page.editing.retry")}
            </Button>
          )
        )}
        <Button size="small" onClick={() => void copy()}>
          {t("page.editing.copy")}
        </Button>
        <Button size="small" look={isConflict ? "outline" : "quiet"} onClick={() => editing.drop(line, draft.editId)}>
          {t(isConflict ? "page.editing.takeTheirs" : "page.editing.discard")}
        </Button>
      </div>
    </div>
  );
}

function Why({ draft: { state }, placed }: Pick<UnsavedProps, "draft" | "placed">) {
  const { t } = useTranslation("sharing");
  const errorText = useErrorText();
  const violationText = useViolationText();
  if (state === "sending") return null;
  if (state.kind === "conflict" && state.theirs !== null && placed) return <span>{t("page.editing.conflict")}</span>;
  const error = state.kind === "failed" ? state.error : null;
  const broken = error instanceof ApiError ? error.violations[0] : undefined;
  const why = !placed
    ? t("page.editing.goneLine")
    : isGone(error)
      ? t("page.editing.linkGone")
      : broken
        ? violationText(broken)
        : error
          ? errorText(error)
          : "";
  return (
    <span>
      {t("page.editing.failed", { why })} {t("page.editing.kept")}
    </span>
  );
}
