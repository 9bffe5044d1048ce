/**
 * Bookmarks and highlights in order of time, each with its note, which can be edited; they can be played and deleted.
 */
import { Bookmark } from "lucide-react";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { useLocale } from "@/hooks/use-locale";
import { formatClock, formatNumber } from "@/lib/format";
import type { Workspace } from "../workspace";
import type { AnchoredAnnotation } from "./anchor";
import { AnnotationRow } from "./annotation-row";
import { useAnchored } from "./use-anchored";
import "./annotations.css";

interface AnnotationPanelProps {
  workspace: Workspace;
  /** Called after a jump to a position in the text: if the list covers the text, it closes. */
  onGone: () => void;
}

export function AnnotationPanel({ workspace, onGone }: AnnotationPanelProps) {
  const { t } = useTranslation("editor");
  const locale = useLocale();
  const { annotations, player } = workspace;
  const marks = useAnchored(workspace);
  const heading = useRef<HTMLHeadingElement>(null);
  const [announcement, setAnnouncement] = useState("");
  if (!annotations) {
    return null;
  }
  const remove = ({ mark }: AnchoredAnnotation) => {
    annotations.remove(mark);
    setAnnouncement(t("annotations.isGone", { time: formatClock(mark.start) }));
    // The pressed button disappears.
    heading.current?.focus();
  };
  return (
    <section
      aria-labelledby="annotations"
      data-testid="annotations"
      className="rounded-lg border border-rule bg-paper-raised p-4"
    >
      <div className="flex items-center justify-between gap-2">
        <h3 id="annotations" ref={heading} tabIndex={-1} className="kicker">
          {t("annotations.title")} {marks.length > 0 && <span className="figures">{formatNumber(marks.length, locale)}</span>}
        </h3>
        <Button
          size="small"
          look="quiet"
          className="-my-1 -mr-2"
          aria-label={t("annotations.bookmarkHere")}
          title={t("annotations.bookmarkHere")}
          onClick={() => annotations.bookmark(player.getState().time)}
        >
          <Bookmark aria-hidden="true" />
        </Button>
      </div>
      {marks.length === 0 ? (
        <p className="mt-2 text-sm text-ink-soft">{t("annotations.empty")}</p>
      ) : (
        <ul className="mt-1 divide-y divide-rule">
          {marks.map((anchored) => (
            <AnnotationRow
              key={anchored.mark.id}
              anchored={anchored}
              workspace={workspace}
              annotations={annotations}
              onGone={onGone}
              onRemove={() => remove(anchored)}
            />
          ))}
        </ul>
      )}
      <p role="status" className="sr-only">
        {announcement}
      </p>
    </section>
  );
}
