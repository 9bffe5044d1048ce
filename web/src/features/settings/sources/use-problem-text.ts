/** Why a source cannot be read, and why a recording there waits or has failed. */
import i18next from "i18next";
import { useTranslation } from "react-i18next";
import type { SourceProblem } from "@/api/sources";
import { useParamsInWords } from "@/hooks/use-error-text";
import { hasProblemText } from "@/lib/problem-codes";
import type sources from "@/locales/uk/sources.json";
import type { Code } from "@/rules";

/** Narrows a server's code to a key, if it is one of sources. */
function isOfSources(code: string): code is keyof typeof sources.problems {
  return i18next.exists(`sources:problems.${code}`);
}

/** The text of a problem. Its code is one of sources, of a violated rule, or of the API's problems. */
export function useProblemText(): (problem: SourceProblem) => string {
  const { t } = useTranslation(["sources", "rules", "problems"]);
  const inWords = useParamsInWords();
  return ({ code, params, detail }) => {
    const values = inWords(params as Record<string, string | number>);
    if (isOfSources(code)) return t(`problems.${code}`, { ...values, detail: detail ?? "" });
    if (hasProblemText("codes", code)) return t(`problems:codes.${code}`, values);
    if (hasProblemText("job", code)) return t(`problems:job.${code}`, values);
    if (i18next.exists(`rules:violations.${code}`)) return t(`rules:violations.${code as Code}`, values);
    return t("problems.internal");
  };
}
