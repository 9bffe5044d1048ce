/** A page that is on its way. */
import { useTranslation } from "react-i18next";

const BARS = [0.5, 1, 0.7, 0.4];

export function Loading() {
  const { t } = useTranslation();
  return (
    <div role="status" className="flex min-h-60 flex-1 flex-col items-center justify-center gap-3 text-ink-faint">
      <span aria-hidden="true" className="flex h-6 items-center gap-1">
        {BARS.map((height, i) => (
          <span
            key={height}
            className="w-1 animate-[voice_900ms_ease-in-out_infinite] rounded-full bg-voice"
            style={{ height: `${height * 100}%`, animationDelay: `${i * 120}ms` }}
          />
        ))}
      </span>
      {t("loading")}
    </div>
  );
}
