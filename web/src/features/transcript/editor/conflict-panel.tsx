/** Two texts of one segment: the reader's own and the other author's. Both are kept until the reader decides. */
import { GitCompareArrows } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { Button } from "@/components/button";
import { copyText } from "@/lib/clipboard";
import { formatClock } from "@/lib/format";
import { toast } from "@/lib/toast";
import type { Conflict } from "../document/conflicts";
import type { DocumentStore } from "../document/document-store";
import { mergeTexts } from "../document/merge-texts";

export function ConflictPanel({ document }: { document: DocumentStore }) {
  const { t } = useTranslation("editor");
  const conflicts = useStore(document, (state) => state.conflicts);
  if (conflicts.length === 0) {
    return null;
  }
  return (
    <section
      aria-label={t("conflict.label")}
      data-testid="conflicts"
      className="mt-4 rounded-lg border border-rule-strong bg-warn-wash px-4 py-3"
    >
      <div role="alert" className="flex items-start gap-2.5">
        <GitCompareArrows aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-warn" />
        <p className="font-strong">{t("conflict.title", { count: conflicts.length })}</p>
      </div>
      <ul className="mt-3 flex flex-col gap-4">
        {conflicts.map((conflict) => (
          <li key={conflict.id}>
            <Choice conflict={conflict} document={document} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Choice({ conflict, document }: { conflict: Conflict; document: DocumentStore }) {
  const { t } = useTranslation("editor");
  const { id, base, mine, theirs, reason } = conflict;
  const [both, setBoth] = useState<string | null>(null);
  const { resolve } = document.actions;
  return (
    <div className="rounded border border-rule-strong bg-paper-raised p-3">
      {theirs && <p className="figures text-xs text-ink-faint">{formatClock(theirs.start)}</p>}
      <dl className="mt-1 grid gap-3 sm:grid-cols-2">
        <div className="min-w-0">
          <dt className="kicker">{t("conflict.mine")}</dt>
          <dd className="mt-1 font-serif leading-relaxed [overflow-wrap:anywhere]">{mine}</dd>
        </div>
        <div className="min-w-0">
          <dt className="kicker">{t(reason === "refused" ? "conflict.saved" : "conflict.theirs")}</dt>
          <dd className="mt-1 font-serif leading-relaxed [overflow-wrap:anywhere]">
            {theirs ? theirs.text : t(reason === "refused" ? "conflict.unplaced" : "conflict.gone")}
          </dd>
        </div>
      </dl>
      {both !== null && (
        <textarea
          aria-label={t("conflict.both")}
          value={both}
          rows={3}
          onChange={(event) => setBoth(event.target.value)}
          className="mt-3 block w-full rounded border border-edge bg-paper-raised px-3 py-2 font-serif leading-relaxed"
        />
      )}
      <div className="mt-3 flex flex-wrap gap-2">
        {both !== null ? (
          <Button size="small" look="primary" disabled={both.trim() === ""} onClick={() => resolve(id, both)}>
            {t("conflict.saveBoth")}
          </Button>
        ) : (
          theirs && (
            <>
              <Button size="small" look="primary" onClick={() => resolve(id, mine)}>
                {t("conflict.keepMine")}
              </Button>
              <Button size="small" onClick={() => setBoth(mergeTexts(base ?? "", mine, theirs.text))}>
                {t("conflict.editBoth")}
              </Button>
            </>
          )
        )}
        {!theirs && <CopyMine text={mine} />}
        <Button size="small" onClick={() => resolve(id, null)}>
          {t(theirs ? "conflict.takeTheirs" : "conflict.letGo")}
        </Button>
      </div>
    </div>
  );
}

/** Copies a text that can no longer be inserted here. */
function CopyMine({ text }: { text: string }) {
  const { t } = useTranslation("transcript");
  const copy = async () => {
    if (await copyText(text)) toast.success(t("text.copied"));
    else toast.error(t("text.copyFailed"));
  };
  return (
    <Button size="small" look="primary" onClick={() => void copy()}>
      {t("text.copy")}
    </Button>
  );
}
