/** A bookmark or highlight: time, quote and note. */
import { Bookmark, Pencil, Trash2 } from "lucide-react";
import { memo, useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "@/components/icon-button";
import { releaseFocus } from "@/domain/transcript/pointer-focus";
import { formatClock } from "@/lib/format";
import type { Workspace } from "../workspace";
import type { AnchoredAnnotation } from "./anchor";
import { NoteForm } from "./note-form";
import type { Annotations } from "./use-annotations";

interface AnnotationRowProps {
  anchored: AnchoredAnnotation;
  workspace: Workspace;
  annotations: Annotations;
  onGone: () => void;
  onRemove: () => void;
}

/** Views that show places of the text. */
const WITH_TEXT = ["text", "dialog", "segments"];

export const AnnotationRow = memo(Row, isDrawnAlike);

/** Its callbacks behave the same in every render. */
function isDrawnAlike(before: AnnotationRowProps, after: AnnotationRowProps): boolean {
  return before.anchored === after.anchored && isNoted(before) === isNoted(after) && before.workspace.tab === after.workspace.tab;
}

const isNoted = ({ anchored, annotations }: AnnotationRowProps): boolean => annotations.noting === anchored.mark.id;

function Row(props: AnnotationRowProps) {
  const { anchored, workspace, annotations, onGone, onRemove } = props;
  const { mark, line, changed } = anchored;
  const { t } = useTranslation(["editor", "transcript"]);
  const { document, player, language, tab, open } = workspace;
  const editing = isNoted(props);
  const opener = useRef<HTMLButtonElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => {
    if (wasEditing.current && !editing) {
      opener.current?.focus();
    }
    wasEditing.current = editing;
  }, [editing]);
  const time = formatClock(mark.start);
  const kind = t(`editor:annotations.kinds.${mark.kind}`);
  const colour = t(`editor:annotations.colours.${mark.colour}`);
  const go = () => {
    if (!WITH_TEXT.includes(tab)) {
      open("text");
    }
    player.getState().follow(true);
    player.getState().playFrom(mark.start);
    onGone();
  };
  return (
    <li aria-label={t("editor:annotations.of", { kind, time })} className="py-2.5">
      <div className="flex items-center gap-1.5">
        <button
          type="button"
          aria-label={t("transcript:text.segment", { time })}
          onClick={(event) => {
            releaseFocus(event);
            go();
          }}
          className="figures -ml-1 inline-flex min-h-6 items-center rounded px-1 text-xs text-ink-soft hover:bg-accent-wash hover:text-accent-strong pointer-coarse:min-h-11"
        >
          {time}
        </button>
        {mark.kind === "bookmark" ? (
          <Bookmark aria-hidden="true" className="size-4 shrink-0 text-accent" />
        ) : (
          <span aria-hidden="true" className="mark-sample" data-colour={mark.colour} />
        )}
        <span className="text-xs text-ink-faint">{mark.kind === "bookmark" ? kind : colour}</span>
        <span className="grow" />
        <IconButton
          ref={opener}
          label={t("editor:annotations.edit", { time })}
          className="size-8"
          aria-expanded={editing}
          onClick={() => annotations.note(editing ? null : mark.id)}
        >
          <Pencil aria-hidden="true" />
        </IconButton>
        <IconButton label={t("editor:annotations.remove", { time })} className="-mr-2 size-8" onClick={onRemove}>
          <Trash2 aria-hidden="true" />
        </IconButton>
      </div>
      <p lang={language} className="line-clamp-3 font-serif text-sm leading-relaxed [overflow-wrap:anywhere]">
        {quoteOf(anchored, document.getState().segments[line]?.text)}
      </p>
      {changed && <p className="mt-1 text-xs text-warn">{t("editor:annotations.changed")}</p>}
      {editing ? (
        <NoteForm mark={mark} annotations={annotations} />
      ) : (
        mark.note !== "" && (
          <p className="mt-1.5 border-l-2 border-rule-strong pl-2.5 text-sm whitespace-pre-line [overflow-wrap:anywhere]">
            {mark.note}
          </p>
        )
      )}
    </li>
  );
}

/** A highlight quotes its words. A bookmark shows the current text of its line if that has changed. */
function quoteOf({ mark }: AnchoredAnnotation, line: string | undefined): string {
  return mark.kind === "bookmark" && line !== undefined && !line.includes(mark.quote) ? line : mark.quote;
}
