/** Rows that a run skipped, conflicts between both sides, and rows that were restored. */
import i18next from "i18next";
import { useTranslation } from "react-i18next";
import type { NocodbConflict, NocodbProblem } from "@/api/nocodb";
import { useLocale } from "@/hooks/use-locale";
import { useViolationText } from "@/hooks/use-violation-text";
import { formatNumber } from "@/lib/format";
import type texts from "@/locales/uk/admin-nocodb.json";

type Texts = typeof texts;

/** The text for a code of the server; a newer server may have unknown codes. */
function useByCode() {
  const { t } = useTranslation("admin-nocodb");
  return {
    kind: (code: string) =>
      i18next.exists(`admin-nocodb:kind.${code}`) ? t(`kind.${code as keyof Texts["kind"]}`) : t("other_kind"),
    problem: (code: string) =>
      i18next.exists(`admin-nocodb:row_problems.${code}`)
        ? t(`row_problems.${code as keyof Texts["row_problems"]}`)
        : t("other_problem"),
  };
}

export function ProblemList({ problems, count }: { problems: readonly NocodbProblem[]; count: number }) {
  const { t } = useTranslation("admin-nocodb");
  const locale = useLocale();
  const text = useByCode();
  const violationText = useViolationText();
  return (
    <details className="text-sm" open>
      <summary className="cursor-pointer font-strong text-warn">
        {t("run.problems", { number: formatNumber(count, locale) })}
      </summary>
      <ul className="mt-2 flex max-h-60 flex-col gap-1.5 overflow-y-auto" tabIndex={-1}>
        {problems.map((problem, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a finished list that never changes its order
          <li key={at} className="min-w-0 break-words">
            {text.kind(problem.kind)}
            {problem.remote_id !== null && <>, {t("run.row", { id: problem.remote_id })}</>}: {text.problem(problem.code)}
            {problem.violations.length > 0 && (
              <>
                {" ("}
                {problem.violations.map((broken) => `${broken.field}: ${violationText(broken)}`).join("; ")}
                {")"}
              </>
            )}
            {problem.detail && (
              <span lang="en" className="ml-1 font-mono text-[0.8125rem] text-ink-faint">
                {problem.detail}
              </span>
            )}
          </li>
        ))}
      </ul>
    </details>
  );
}

function outcome(winner: string): "run.local" | "run.remote" | "run.only_here" {
  if (winner === "put_back") {
    return "run.only_here";
  }
  return winner === "local" ? "run.local" : "run.remote";
}

/** Conflicts or restored rows under a title. */
export function ConflictList({ title, conflicts }: { title: string; conflicts: readonly NocodbConflict[] }) {
  const { t } = useTranslation("admin-nocodb");
  const text = useByCode();
  return (
    <details className="text-sm" open>
      <summary className="cursor-pointer font-strong">{title}</summary>
      <ul className="mt-2 flex max-h-60 flex-col gap-1.5 overflow-y-auto" tabIndex={-1}>
        {conflicts.map((conflict) => (
          <li key={conflict.id} className="min-w-0 break-words">
            {text.kind(conflict.kind)}, {t("run.row", { id: conflict.remote_id })}: {t(outcome(conflict.winner))} (
            {t("run.fields", { fields: conflict.fields.join(", ") })})
          </li>
        ))}
      </ul>
    </details>
  );
}
