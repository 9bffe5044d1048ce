import { useTranslation } from "react-i18next";

/** Why a voice could not be computed or compared, with what helps. A newer server may have other codes, too. */
export function useVoiceFailure(): (code: string) => string {
  const { t, i18n } = useTranslation("voices");
  return (code) => {
    const key = `failure.${code}`;
    return i18n.exists(`voices:${key}`) ? t(key as "failure.recognition_failed") : t("failure.recognition_failed");
  };
}
