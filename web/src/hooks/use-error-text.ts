import { useTranslation } from "react-i18next";
import { ApiError, type Notice } from "@/api";
import { formatClock } from "@/lib/format";
import { hasProblemText } from "@/lib/problem-codes";

/** What happened and what to do, in the reader's language. Anything but a server response is an error of the page. */
export function useErrorText(): (error: unknown) => string {
  const { t, i18n } = useTranslation("problems");
  const inWords = useParamsInWords();
  const engineText = useEngineText();
  return (error) => {
    if (!(error instanceof ApiError)) {
      console.error(error);
      return t("codes.unexpected");
    }
    const { code } = error;
    if (code === "rate_limited" && error.retryAfter !== null) {
      const { unit, count } = waitInWords(error.retryAfter);
      return t(`rate_limited_for.${unit}`, { count });
    }
    if (code === "font_missing") return t("codes.font_missing", { script: scriptName(error.params.script, i18n.language) });
    if (hasProblemText("codes", code)) return t(`codes.${code}`, inWords(error.params));
    // A file that the engine cannot use is refused with the engine's own code.
    const refused = engineText(error);
    if (refused !== null) return refused;
    // A newer server may return unknown codes.
    console.warn(`No text for problem ${code}`);
    return error.requestId ? t("unknown_with_id", { requestId: error.requestId }) : t("codes.unexpected");
  };
}

/** The name of a script by its ISO 15924 code, such as `Hans`; the code itself if there is no name. */
export function scriptName(code: unknown, locale: string): string {
  const known = String(code ?? "");
  try {
    return new Intl.DisplayNames([locale], { type: "script" }).of(known) ?? known;
  } catch {
    return known;
  }
}

/** In a suitable unit, rounded up. */
export function waitInWords(seconds: number): { unit: "seconds" | "minutes" | "hours"; count: number } {
  if (seconds <= 90) return { unit: "seconds", count: seconds };
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 90 ? { unit: "minutes", count: minutes } : { unit: "hours", count: Math.ceil(minutes / 60) };
}

/**
 * Parameters as text: codes of the server are translated, and unknown ones, from a newer or older server, are not
 * shown.
 */
export function useParamsInWords(): (params: Notice["params"]) => Notice["params"] {
  const { t, i18n } = useTranslation("problems");
  const inWords = (name: string, value: string): string | null => {
    switch (name) {
      case "found": {
        // What the file is instead of a recording.
        const key = `rules:container.${value}`;
        return i18n.exists(key) ? i18n.t(key as "rules:container.html") : t("unknown_content");
      }
      case "what":
        // What is wrong with a damaged file.
        return hasProblemText("damage", value) ? t(`damage.${value}`) : t("damage.other");
      case "reason":
        // Why a webhook service returned no text.
        return hasProblemText("reasons", value) ? t(`reasons.${value}`) : t("reasons.other");
      case "source":
        // Where a figure about a model comes from.
        return hasProblemText("sources", value) ? t(`sources.${value}`) : null;
      case "codec":
        return value === "unknown" || value === "" ? t("unknown_codec") : null;
      case "language": {
        const key = `languages:${value}`;
        return i18n.exists(key) ? i18n.t(key as "languages:uk") : null;
      }
      default:
        return null;
    }
  };
  return (params) =>
    Object.fromEntries(Object.entries(params).map(([name, value]) => [name, inWords(name, String(value)) ?? value]));
}

/** The text of an engine error; `null` for a code without a text here. */
export function useEngineText(): (notice: Notice) => string | null {
  const { t } = useTranslation("problems");
  const inWords = useParamsInWords();
  return ({ code, params }) => (hasProblemText("job", code) ? t(`job.${code}`, inWords(params)) : null);
}

/** Why a job failed. */
export function useJobErrorText(): (error: Notice) => string {
  const { t } = useTranslation("problems");
  const engineText = useEngineText();
  return (error) => {
    const text = engineText(error);
    if (text === null) console.warn(`No text for job error ${error.code}`);
    return text ?? t("job.internal");
  };
}

/** Warnings of a completed job. */
export function useWarningText(): (warning: Notice) => string {
  const { t } = useTranslation("problems");
  const inWords = useParamsInWords();
  return ({ code, params }) => {
    const at = typeof params.at_seconds === "number" ? formatClock(params.at_seconds) : "";
    if (!hasProblemText("warnings", code)) console.warn(`No text for warning ${code}`);
    return hasProblemText("warnings", code) ? t(`warnings.${code}`, { ...inWords(params), at }) : t("warnings.unknown");
  };
}
