/** Tells which host the text is sent to, beside the setting that causes it. */
import { useTranslation } from "react-i18next";
import type { Feature } from "@/rules";
import { useFields } from "./fields-context";

export function TextDestination({ feature }: { feature: Feature }) {
  const { t } = useTranslation("configure");
  const { textHost, unavailableReason, lacks } = useFields();
  const isLacking = feature !== "transcription" && feature !== "timestamps" && lacks(feature);
  return textHost !== null && unavailableReason(feature) === null && !isLacking ? (
    <p className="text-sm text-ink-faint">{t("textGoes", { host: textHost })}</p>
  ) : null;
}
