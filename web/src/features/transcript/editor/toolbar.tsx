/**
 * The page's only toolbar: actions on the text, and the state of saving. It stays below the page's header while the
 * text scrolls. On a phone it shares a row with the views, except while editing or reviewing uncertain words.
 */
import {
  Bookmark,
  Check,
  ChevronDown,
  ChevronUp,
  Clock,
  Highlighter,
  Pencil,
  Redo2,
  Replace,
  SearchCheck,
  Trash2,
  Undo2,
} from "lucide-react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { Button } from "@/components/button";
import { IconButton } from "@/components/icon-button";
import { MenuItem, MenuSeparator } from "@/components/menu";
import { Tooltip } from "@/components/tooltip";
import { COVER_ATTRIBUTE } from "@/domain/transcript/page-scroll";
import { useDeferredStore } from "@/hooks/use-deferred-store";
import { hotkeyLabel } from "@/hooks/use-hotkey";
import { useMediaQuery } from "@/hooks/use-media-query";
import { usePainted } from "@/hooks/use-painted";
import { cx } from "@/lib/class-names";
import { STAMP_EVENT } from "../annotations/time-stamp";
import type { SidePanel } from "../side-panel";
import { TextActions } from "../text-actions";
import type { Workspace } from "../workspace";
import { SaveStatusLine } from "./save-status";
import { countUnsure } from "./unsure";
import { WALK_EVENT, type WalkStep } from "./use-unsure-walk";

interface ToolbarProps {
  workspace: Workspace;
  side: SidePanel;
  onReplace: () => void;
}

export function Toolbar({ workspace, side, onReplace }: ToolbarProps) {
  const { t } = useTranslation("editor");
  const { document, job, tab, writing, startWriting, stopWriting } = workspace;
  const version = useStore(document, (state) => state.version);
  const phone = useMediaQuery("(width < 640px)");
  const editable = workspace.editable && tab !== "analysis";
  const isWriting = writing !== null && tab === "text";
  const isWide = !phone || isWriting || (workspace.unsureShown && tab === "text");
  return (
    <div
      role="toolbar"
      aria-label={t("toolbar.label")}
      {...{ [COVER_ATTRIBUTE]: "" }}
      // The caret stays in the edited segment; buttons that open a sheet get the focus, so that it can return there.
      onMouseDown={(event) => {
        if (!(event.target as Element).closest("[data-takes-focus]")) event.preventDefault();
      }}
      className={cx(
        "flex items-center gap-x-1 bg-paper",
        isWide ? "flex-wrap gap-y-1 py-1.5 max-sm:basis-full" : "shrink-0",
        "sm:sticky sm:top-(--header-height) sm:z-10 sm:-mx-1 sm:px-1 sm:after:pointer-events-none sm:after:absolute sm:after:inset-x-1 sm:after:bottom-0 sm:after:border-b sm:after:border-rule",
      )}
    >
      {/* One button for both states, so that it keeps the keyboard focus. */}
      {editable && tab === "text" && (
        <Button
          size="small"
          look={isWriting ? "primary" : "outline"}
          data-tour="edit"
          onClick={() => (isWriting ? stopWriting() : startWriting(null, 0))}
        >
          {!isWriting && <Pencil aria-hidden="true" />}
          <span className={cx(!isWriting && !isWide && "sr-only")}>{t(isWriting ? "toolbar.done" : "toolbar.edit")}</span>
        </Button>
      )}
      {/* Also without a caret in any line: if it appeared or disappeared, the text would move under the pointer. */}
      {editable && isWriting && (
        <>
          <Button size="small" look="quiet" disabled={writing.id === null} onClick={workspace.cancelWriting}>
            {t("toolbar.cancel")}
          </Button>
          <StampButton disabled={writing.id === null} />
          <RemoveButton id={writing.id} workspace={workspace} />
        </>
      )}
      {editable && isWide && (
        <>
          <UndoButton document={document} />
          <RedoButton document={document} />
          <IconButton label={t("toolbar.replace")} shortcut={hotkeyLabel("h")} onClick={onReplace}>
            <Replace aria-hidden="true" />
          </IconButton>
        </>
      )}
      {/* If one row is too narrow, the second row is always there while editing, so that changes in it do not move the
          text. */}
      {isWriting && <span aria-hidden="true" className="order-1 basis-full xl:hidden" />}
      {isWide && <UnsureWalk workspace={workspace} isWriting={isWriting} />}
      <SaveStatusLine
        document={document}
        compact={!isWide}
        className={cx("ml-auto", isWriting && "max-xl:order-2 max-xl:min-h-8")}
      />
      <TextActions
        job={job}
        version={version}
        segments={() => document.getState().segments}
        speakers={() => document.getState().speakers}
        flush={document.actions.flush}
        side={side}
        compact={isWriting}
      >
        {!isWide && editable && <EditItems workspace={workspace} onReplace={onReplace} />}
        <MarkItems workspace={workspace} />
      </TextActions>
    </div>
  );
}

function StampButton({ disabled }: { disabled: boolean }) {
  const { t } = useTranslation("editor");
  return (
    <IconButton
      label={t("toolbar.stamp")}
      shortcut="Alt T"
      aria-disabled={disabled}
      onClick={() => window.dispatchEvent(new Event(STAMP_EVENT))}
    >
      <Clock aria-hidden="true" />
    </IconButton>
  );
}

/** In the menu beside the text, as an alternative to the keys. */
function MarkItems({ workspace: { annotations, tab } }: Pick<ToolbarProps, "workspace">) {
  const { t } = useTranslation("editor");
  return (
    annotations && (
      <>
        {tab === "text" && (
          <MenuItem onSelect={annotations.highlight}>
            <Highlighter aria-hidden="true" />
            {t("annotations.highlightWords")}
          </MenuItem>
        )}
        <MenuItem onSelect={() => annotations.bookmark()}>
          <Bookmark aria-hidden="true" />
          {t("annotations.bookmarkHere")}
        </MenuItem>
        <MenuSeparator />
      </>
    )
  );
}

function RemoveButton({ id, workspace }: { id: string | null; workspace: Workspace }) {
  const { t } = useTranslation("editor");
  return (
    <IconButton
      label={t("bin.remove")}
      shortcut={hotkeyLabel("⇧ ⌫")}
      aria-disabled={id === null}
      onClick={() => id !== null && workspace.moves.remove(id)}
    >
      <Trash2 aria-hidden="true" />
    </IconButton>
  );
}

/** On a phone, tools are in the menu while reading. */
function EditItems({ workspace, onReplace }: Pick<ToolbarProps, "workspace" | "onReplace">) {
  const { t } = useTranslation("editor");
  const { document, tab, showUnsure } = workspace;
  const canUndo = useDeferredStore(document, (state) => state.canUndo || state.draft !== null);
  const canRedo = useDeferredStore(document, (state) => state.canRedo);
  const count = useDeferredStore(document, (state) => countUnsure(state.segments));
  return (
    <>
      <MenuItem disabled={!canUndo} onSelect={() => void document.actions.undo()}>
        <Undo2 aria-hidden="true" />
        {t("toolbar.undo")}
      </MenuItem>
      <MenuItem disabled={!canRedo} onSelect={() => void document.actions.redo()}>
        <Redo2 aria-hidden="true" />
        {t("toolbar.redo")}
      </MenuItem>
      <MenuItem onSelect={onReplace}>
        <Replace aria-hidden="true" />
        {t("toolbar.replace")}
      </MenuItem>
      {tab === "text" && count > 0 && (
        <MenuItem onSelect={() => showUnsure(true)}>
          <SearchCheck aria-hidden="true" />
          {t("unsure.label")} {count}
        </MenuItem>
      )}
      <MenuSeparator />
    </>
  );
}

function UndoButton({ document }: Pick<Workspace, "document">) {
  const { t } = useTranslation("editor");
  const canUndo = useDeferredStore(document, (state) => state.canUndo || state.draft !== null);
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
  const canRedo = useDeferredStore(document, (state) => state.canRedo);
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

function UnsureWalk({ workspace, isWriting }: { workspace: Workspace; isWriting: boolean }) {
  const { t } = useTranslation("editor");
  const { document, tab, editable, unsureShown, showUnsure } = workspace;
  const painted = usePainted();
  const segments = useDeferredStore(document, (state) => state.segments);
  const count = painted ? countUnsure(segments) : 0;
  // When no uncertain words are left, it shows zero, and its buttons keep the focus.
  if (tab !== "text" || (count === 0 && !unsureShown)) {
    return null;
  }
  const walk = (step: WalkStep) => window.dispatchEvent(new CustomEvent(WALK_EVENT, { detail: step }));
  return (
    <div className={cx("flex flex-wrap items-center gap-1", isWriting && "max-xl:order-2")}>
      <Tooltip text={t("unsure.hint")}>
        <button
          type="button"
          aria-pressed={unsureShown}
          onClick={() => showUnsure(!unsureShown)}
          className={cx(
            "inline-flex h-8 items-center gap-1.5 rounded px-2 text-sm transition-colors pointer-coarse:h-11",
            unsureShown ? "bg-warn-wash text-warn" : "text-ink-soft hover:bg-paper-sunk hover:text-ink",
          )}
        >
          <span className="max-xl:sr-only">{t("unsure.label")}</span>
          <span aria-hidden="true" className="xl:hidden">
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
    </div>
  );
}
