/** Marks a recording as the sample of a new account. */
import { useTranslation } from "react-i18next";
import { cx } from "@/lib/class-names";

export function SampleBadge({ className }: { className?: string }) {
  const { t } = useTranslation();
  return (
    <span
      className={cx(
        "inline-flex items-center rounded-full border border-edge px-2 py-px text-xs whitespace-nowrap text-ink-soft",
        className,
      )}
    >
      {t("sample.badge")}
    </span>
  );
}
