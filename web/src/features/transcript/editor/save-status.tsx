/** The state of saving the text; changes are announced. */
import { Check, LoaderCircle, RotateCw, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import { useStore } from "zustand";
import { connection } from "@/api/connection";
import { Button } from "@/components/button";
import { IconButton } from "@/components/icon-button";
import { useDeferredStore } from "@/hooks/use-deferred-store";
import { cx } from "@/lib/class-names";
import { connectionNotice } from "@/lib/connection-notice";
import type { DocumentStore } from "../document/document-store";

const SIGNS = {
  saving: { icon: LoaderCircle, look: "text-ink-soft [&>svg]:animate-spin" },
  saved: { icon: Check, look: "text-good" },
  error: { icon: TriangleAlert, look: "text-bad" },
} as const;

interface SaveStatusProps {
  document: DocumentStore;
  /** Shows only an icon; the text is for screen readers. */
  compact?: boolean;
  className?: string;
}

export function SaveStatusLine({ document, compact = false, className }: SaveStatusProps) {
  const { t } = useTranslation(["editor", "common"]);
  const status = useDeferredStore(document, (state) => state.status);
  const stored = useDeferredStore(document, (state) => state.kept);
  const { line, doubtful } = useStore(connection);
  const news = useStore(connectionNotice, (state) => state.notice);
  // Changes waiting for the connection are shown in the page's header; they are not an error.
  const waits = line !== "up" || doubtful || news !== null;
  const sign = status === "idle" || waits ? null : SIGNS[status];
  const tryAgain = t("common:actions.try_again");
  return (
    <div role="status" data-testid="save-status" className={cx("flex flex-wrap items-center gap-x-2 gap-y-1 text-sm", className)}>
      {sign && status !== "idle" && (
        <span
          className={cx("flex items-center gap-1.5", sign.look)}
          title={status === "error" && stored ? t("save.kept") : undefined}
        >
          {/* On a phone the text and the button take the whole row. */}
          <sign.icon aria-hidden="true" className={cx("size-4 shrink-0", status === "error" && !compact && "max-sm:hidden")} />
          <span className={compact ? "sr-only" : undefined}>{t(`save.${status}`)}</span>
          {status === "error" && stored && <span className="sr-only">. {t("save.kept")}</span>}
        </span>
      )}
      {!stored && (waits || status === "error") && <span className={compact ? "sr-only" : undefined}>{t("save.unkept")}</span>}
      {status === "error" &&
        !waits &&
        (compact ? (
          <IconButton label={tryAgain} onClick={() => void document.actions.flush()}>
            <RotateCw aria-hidden="true" />
          </IconButton>
        ) : (
          <Button size="small" className="max-sm:px-2" onClick={() => void document.actions.flush()}>
            {tryAgain}
          </Button>
        ))}
    </div>
  );
}
