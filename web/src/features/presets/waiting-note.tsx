/** What of a preset waits for a language model on this server; the text comes all the same. */
import { Hourglass } from "lucide-react";
import { useTranslation } from "react-i18next";

export function WaitingNote({ later }: { later: readonly string[] }) {
  const { t } = useTranslation("presets");
  if (later.length === 0) return null;
  return (
    <p className="mt-1 flex items-start gap-1.5 text-ink-soft">
      <Hourglass aria-hidden="true" className="mt-[0.2em] size-3.5 shrink-0" />
      <span>{t("gives.waits", { list: later.join(", ") })}</span>
    </p>
  );
}
