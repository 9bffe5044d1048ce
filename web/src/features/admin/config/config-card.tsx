/** The frame of a card: title, description, content, and the bar to save it. */
import { CircleAlert, CircleCheck, TriangleAlert } from "lucide-react";
import { type ReactNode, useEffect, useId } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { FormAlert } from "@/components/form-alert";
import { Skeleton } from "@/components/skeleton";
import { ErrorState } from "@/components/state-panel";
import { UNCOVERED } from "@/domain/uncovered";
import { cx } from "@/lib/class-names";

export interface CardProps {
  /** Called when the card gets or loses unsaved changes. */
  onDirtyChange?: (dirty: boolean) => void;
}

/** Names and values side by side; on a phone each value is below its name. */
export const FACTS = "grid gap-x-6 max-sm:[&>dd:not(:last-child)]:mb-2 sm:gap-y-2";

interface ConfigCardProps {
  title: string;
  text: string;
  children: ReactNode;
}

export function ConfigCard({ title, text, children }: ConfigCardProps) {
  const id = useId();
  return (
    <section aria-labelledby={id} className={cx("flex flex-col gap-5", UNCOVERED)}>
      <div>
        <h2 id={id} className="headline text-lg">
          {title}
        </h2>
        <p className="mt-1 max-w-[64ch] text-sm text-ink-soft">{text}</p>
      </div>
      {children}
    </section>
  );
}

/** Placeholder until the card's code and data are loaded. */
export function CardSkeleton({ rows }: { rows: number }) {
  return (
    <div aria-busy="true" className="flex flex-col gap-3">
      {Array.from({ length: rows }, (_, row) => `row-${row}`).map((row) => (
        <Skeleton key={row} className="h-10 w-full" />
      ))}
    </div>
  );
}

/** Shown in a card while its data is loading, or if loading failed. */
export function CardState({ error, onRetry, rows }: { error: unknown; onRetry: () => void; rows: number }) {
  const { t } = useTranslation("admin-config");
  if (error) return <ErrorState title={t("load_failed")} error={error} onRetry={onRetry} className="py-6" />;
  return <CardSkeleton rows={rows} />;
}

interface SaveBarProps {
  dirty: boolean;
  saving: boolean;
  failure: string | null;
  onRevert: () => void;
  onDirtyChange: ((dirty: boolean) => void) | undefined;
}

/** Shown while the form has changes; must be inside the form that it submits. */
export function SaveBar({ dirty, saving, failure, onRevert, onDirtyChange }: SaveBarProps) {
  const { t } = useTranslation("admin-config");
  useEffect(() => {
    onDirtyChange?.(dirty);
  }, [dirty, onDirtyChange]);
  // The card may unmount with unsaved changes.
  useEffect(() => () => onDirtyChange?.(false), [onDirtyChange]);
  return (
    <>
      <FormAlert text={failure} />
      <div
        role="status"
        className={cx(
          "flex flex-wrap items-center justify-end gap-3",
          dirty && "sticky bottom-0 z-10 -mx-3 rounded border border-rule-strong bg-paper-raised px-3 py-2.5 shadow-sheet",
        )}
      >
        {dirty && (
          <>
            <p className="mr-auto flex items-center gap-2 text-warn">
              <TriangleAlert aria-hidden="true" className="size-4 shrink-0" />
              {t("unsaved")}
            </p>
            <Button look="quiet" disabled={saving} onClick={onRevert}>
              {t("revert")}
            </Button>
            <Button type="submit" look="primary" busy={saving}>
              {t("save")}
            </Button>
          </>
        )}
      </div>
    </>
  );
}

interface ResultPanelProps {
  good: boolean;
  title: string;
  children?: ReactNode;
}

/** The result of a test. */
export function ResultPanel({ good, title, children }: ResultPanelProps) {
  const Sign = good ? CircleCheck : CircleAlert;
  return (
    <div className={cx("flex items-start gap-2.5 rounded px-3.5 py-3", good ? "bg-good-wash" : "bg-bad-wash")}>
      <Sign aria-hidden="true" className={cx("mt-0.5 size-4.5 shrink-0", good ? "text-good" : "text-bad")} />
      <div className="flex min-w-0 flex-col gap-1">
        <p className={cx("font-strong wrap-anywhere", good ? "text-good" : "text-bad")}>{title}</p>
        {children}
      </div>
    </div>
  );
}
