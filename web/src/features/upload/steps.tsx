/** The steps of the upload page, with the current one. */
import { useTranslation } from "react-i18next";
import { cx } from "@/lib/class-names";

const STEPS = ["select", "configure"] as const;

export function Steps({ current }: { current: number }) {
  const { t } = useTranslation("upload");
  return (
    <ol aria-label={t("steps.label")} className="flex gap-6 text-sm">
      {STEPS.map((step, at) => (
        <li
          key={step}
          aria-current={at === current ? "step" : undefined}
          className={cx("flex items-center gap-2", at === current ? "font-strong text-ink" : "text-ink-faint")}
        >
          <span
            aria-hidden="true"
            className={cx(
              "figures flex size-6 items-center justify-center rounded-full border text-xs",
              at === current ? "border-accent bg-accent text-on-accent" : "border-edge",
            )}
          >
            {at + 1}
          </span>
          {t(`steps.${step}`)}
        </li>
      ))}
    </ol>
  );
}
