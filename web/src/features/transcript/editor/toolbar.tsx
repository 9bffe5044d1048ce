/** What can be done to the text, and where its saving stands. Stays under the page's header while the text scrolls. */
import { Check, ChevronDown, ChevronUp, Pencil, Redo2, Replace, Trash2, Undo2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { IconButton } from "@/components/icon-button";
import { Tooltip } from "@/components/tooltip";
import { COVER_ATTRIBUTE } from "@/components/transcript/page-scroll";
import { hotkeyLabel } from "@/hooks/use-hotkey";
import { usePainted } from "@/hooks/use-painted";
import { useStoreSoon } from "@/hooks/use-store-soon";
import { cx } from "@/lib/class-names";
import type { Workspace } from "../workspace";
import { SaveStatusLine } from "./save-status";
import { countUnsure } from "./unsure";
import { WALK_EVENT, type WalkStep } from "./use-walk";

export function Toolbar({ workspace, onReplace }: { workspace: Workspace; onReplace: () => void }) {
  const { t } = useTranslation("editor");
  const { document, tab, writing, startWriting, stopWriting, editable } = workspace;
  const isWriting = writing !== null && tab === "text";
  return (
    <div
      role="toolbar"
      aria-label={t("toolbar.label")}
      {...{ [COVER_ATTRIBUTE]: "" }}
      // The caret stays in the segment that is being written.
      onMouseDown={(event) => event.preventDefault()}
      className="sticky top-(--header-height) z-10 -mx-1 flex flex-wrap items-center gap-x-1 gap-y-1 bg-paper px-1 py-1.5 after:pointer-events-none after:absolute after:inset-x-1 after:bottom-0 after:border-b after:border-rule"
    >
      {editable && (
        <>
          {/* One button for both, so that who pressed it by the keyboard is still on it. */}
          {tab === "text" && (
            <Button
              size="small"
              look={isWriting ? "primary" : "outline"}
              data-tour="edit"
              onClick={() => (isWriting ? stopWriting() : startWriting(null, 0))}
            >
              {!isWriting && <Pencil aria-hidden="true" className="max-sm:hidden" />}
              {t(isWriting ? "toolbar.done" : "toolbar.edit")}
            </Button>
          )}
          {isWriting && writing.id !== null && (
            <>
              <Button size="small" look="quiet" onClick={workspace.cancelWriting}>
                {t("toolbar.cancel")}
              </Button>
              <RemoveButton id={writing.id} workspace={workspace} />
            </>
          )}
          <UndoButton document={document} />
          <RedoButton document={document} />
          <IconButton label={t("toolbar.replace")} shortcut={hotkeyLabel("h")} onClick={onReplace}>
            <Replace aria-hidden="true" />
          </IconButton>
        </>
      )}
      {/* On a phone the second row is there as long as one writes: what comes and goes in it moves no text. */}
      {isWriting && <span aria-hidden="true" className="basis-full sm:hidden" />}
      <UnsureWalk workspace={workspace} />
      <SaveStatusLine document={document} className={cx("ml-auto", isWriting && "max-sm:min-h-8")} />
    </div>
  );
}

function RemoveButton({ id, workspace }: { id: string; workspace: Workspace }) {
  const { t } = useTranslation("editor");
  return (
    <IconButton label={t("bin.remove")} shortcut={hotkeyLabel("⇧ ⌫")} onClick={() => workspace.moves.remove(id)}>
      <Trash2 aria-hidden="true" />
    </IconButton>
  );
}

function UndoButton({ document }: Pick<Workspace, "document">) {
  const { t } = useTranslation("editor");
  const canUndo = useStoreSoon(document, (state) => state.canUndo || state.draft !== null);
  return (
    <IconButton
      label={t("toolbar.undo")}
      shortcut={hotkeyLabel("z")}
      aria-disabled={!canUndo}
      onClick={() => canUndo && void document.actions.undo()}
    >
      <Undo2 aria-hidden="true" />
    </IconButton>
  );
}

function RedoButton({ document }: Pick<Workspace, "document">) {
  const { t } = useTranslation("editor");
  const canRedo = useStoreSoon(document, (state) => state.canRedo);
  return (
    <IconButton
      label={t("toolbar.redo")}
      shortcut={hotkeyLabel("y")}
      aria-disabled={!canRedo}
      onClick={() => canRedo && void document.actions.redo()}
    >
      <Redo2 aria-hidden="true" />
    </IconButton>
  );
}

function UnsureWalk({ workspace }: { workspace: Workspace }) {
  const { t } = useTranslation("editor");
  const { document, tab, editable, unsureShown, showUnsure } = workspace;
  const painted = usePainted();
  const segments = useStoreSoon(document, (state) => state.segments);
  const count = painted ? countUnsure(segments) : 0;
  // The last one that was found right leaves a nought behind, and its buttons keep the focus.
  if (tab !== "text" || (count === 0 && !unsureShown)) {
    return null;
  }
  const walk = (step: WalkStep) => window.dispatchEvent(new CustomEvent(WALK_EVENT, { detail: step }));
  return (
    <>
      <Tooltip text={t("unsure.hint")}>
        <button
          type="button"
          aria-pressed={unsureShown}
          onClick={() => showUnsure(!unsureShown)}
          className={cx(
            "ml-1 inline-flex h-8 items-center gap-1.5 rounded px-2 text-sm transition-colors pointer-coarse:h-11",
            unsureShown ? "bg-warn-wash text-warn" : "text-ink-soft hover:bg-paper-sunk hover:text-ink",
          )}
        >
          <span className="max-sm:sr-only">{t("unsure.label")}</span>
          <span aria-hidden="true" className="sm:hidden">
            {t("unsure.short")}
          </span>{" "}
          <span className="figures text-xs">{count}</span>
        </button>
      </Tooltip>
      {unsureShown && (
        <div className="flex gap-x-1">
          <IconButton label={t("unsure.previous")} shortcut="⇧ F8" onClick={() => walk(-1)}>
            <ChevronUp aria-hidden="true" />
          </IconButton>
          <IconButton label={t("unsure.next")} shortcut="F8" onClick={() => walk(1)}>
            <ChevronDown aria-hidden="true" />
          </IconButton>
          {editable && (
            <IconButton label={t("unsure.confirm")} shortcut="F9" onClick={() => walk("confirm")}>
              <Check aria-hidden="true" />
            </IconButton>
          )}
        </div>
      )}
    </>
  );
}
