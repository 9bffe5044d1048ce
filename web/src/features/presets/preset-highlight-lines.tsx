/** What a preset produces on this server: now, once there is a language model, and what is not available. */
import { Ban, Check, Hourglass, type LucideIcon } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { TranscriptionSettings } from "@/api";
import { joinWithDots } from "@/domain/presets/preset-words";
import { usePresetHighlights } from "@/domain/presets/use-preset-highlights";
import { useLocale } from "@/hooks/use-locale";
import { cx } from "@/lib/class-names";

export function PresetHighlightLines({ settings }: { settings: TranscriptionSettings }) {
  const { t } = useTranslation("presets");
  const { now, later, missing, known } = usePresetHighlights()(settings);
  const locale = useLocale();
  const list = now.join(", ");
  return (
    <>
      <Line icon={Check} className="text-ink" iconClass="text-good">
        {known ? t("gives.now", { list }) : joinWithDots(now, locale)}
      </Line>
      {later.length > 0 && <Line icon={Hourglass}>{t("gives.waits", { list: later.join(", ") })}</Line>}
      {missing.length > 0 && <Line icon={Ban}>{t("gives.missing", { list: missing.join(", ") })}</Line>}
    </>
  );
}

interface LineProps {
  icon: LucideIcon;
  className?: string;
  iconClass?: string;
  children: string;
}

function Line({ icon: Icon, className = "text-ink-soft", iconClass, children }: LineProps) {
  return (
    <p className={cx("mt-1 flex items-start gap-1.5", className)}>
      <Icon aria-hidden="true" className={cx("mt-[0.2em] size-3.5 shrink-0", iconClass)} />
      <span className="min-w-0 wrap-anywhere">{children}</span>
    </p>
  );
}
