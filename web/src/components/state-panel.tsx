/** Shown instead of the content of a list, card or page: nothing there yet, or an error. */
import { CloudOff, RotateCw, TriangleAlert } from "lucide-react";
import type { ComponentType, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import { isUnavailable } from "@/api/connection";
import { useErrorText } from "@/hooks/use-error-text";
import { cx } from "@/lib/class-names";
import { Button } from "./button";

/** One of `components/drawings`. */
type Picture = ComponentType<{ className?: string | undefined }>;

interface StatePanelProps {
  title: string;
  text?: ReactNode;
  /** Above the title. */
  picture?: ReactNode;
  actions?: ReactNode;
  className?: string;
}

function StatePanel({ title, text, picture, actions, className }: StatePanelProps) {
  return (
    <div className={cx("flex flex-col items-center gap-3 px-4 py-12 text-center", className)}>
      {picture}
      <h2 className="headline mt-2 text-2xl">{title}</h2>
      {text && <p className="max-w-[46ch] text-ink-soft">{text}</p>}
      {actions && <div className="mt-3 flex flex-wrap justify-center gap-3">{actions}</div>}
    </div>
  );
}

interface EmptyStateProps extends Omit<StatePanelProps, "picture"> {
  /** Matches what is missing. */
  drawing: Picture;
}

/** Nothing is here yet; the drawing shows what will be. */
export function EmptyState({ drawing: Picture, ...rest }: EmptyStateProps) {
  return <StatePanel {...rest} picture={<Picture />} />;
}

interface EmptyNoteProps {
  drawing: Picture;
  children: ReactNode;
  className?: string;
}

/** The same for a part of a page or a sheet: a line of text beside a small drawing. */
export function EmptyNote({ drawing: Picture, children, className }: EmptyNoteProps) {
  return (
    <div className={cx("flex items-center gap-4 py-3 text-ink-soft", className)}>
      <Picture className="w-20 shrink-0" />
      <div className="min-w-0">{children}</div>
    </div>
  );
}

interface ErrorStateProps {
  /** What failed. */
  title: string;
  error: unknown;
  onRetry?: () => void;
  className?: string;
}

export function ErrorState({ title, error, onRetry, className }: ErrorStateProps) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  // The header already says that the server is unavailable; the request itself is not at fault.
  const away = error instanceof ApiError && isUnavailable(error.status, error.code);
  return (
    <div role={away ? undefined : "alert"}>
      <StatePanel
        title={title}
        text={errorText(error)}
        {...(className ? { className } : {})}
        picture={
          away ? (
            <CloudOff aria-hidden="true" className="size-8 text-ink-soft" strokeWidth={1.5} />
          ) : (
            <TriangleAlert aria-hidden="true" className="size-8 text-bad" strokeWidth={1.5} />
          )
        }
        actions={
          onRetry && (
            <Button onClick={onRetry}>
              <RotateCw aria-hidden="true" />
              {t("actions.try_again")}
            </Button>
          )
        }
      />
    </div>
  );
}
