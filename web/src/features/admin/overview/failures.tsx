/** Why jobs ended without a text: a table with bars. */
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { Overview } from "@/api/admin-overview";
import { useLocale } from "@/hooks/use-locale";
import { formatNumber } from "@/lib/format";

export function Failures({ failures }: Pick<Overview, "failures">) {
  const { t, i18n } = useTranslation("admin-overview");
  const locale = useLocale();
  const id = useId();
  const most = Math.max(1, ...failures.map(({ jobs }) => jobs));
  /** A newer server may have unknown causes. */
  const cause = (code: string) => {
    if (code === "") return t("causes.unreadable_cause");
    return i18n.exists(`admin-overview:causes.${code}`) ? t(`causes.${code}` as "causes.damaged") : t("causes.other");
  };
  return (
    <section aria-labelledby={id} className="border-t border-rule-strong pt-3">
      <h2 id={id} className="font-strong">
        {t("failures.title")}
      </h2>
      {failures.length === 0 ? (
        <p className="mt-1 text-ink-soft">{t("failures.nothing")}</p>
      ) : (
        <table aria-labelledby={id} className="mt-2 w-full border-collapse text-left text-sm">
          <thead className="sr-only">
            <tr>
              <th scope="col">{t("failures.cause")}</th>
              <th scope="col">{t("failures.jobs")}</th>
            </tr>
          </thead>
          <tbody>
            {failures.map(({ code, jobs }) => (
              <tr key={code}>
                <th scope="row" className="w-2/5 py-1 pr-4 align-middle font-normal wrap-anywhere sm:w-60">
                  {cause(code)}
                </th>
                <td className="py-1">
                  <span className="flex items-center gap-2">
                    <span aria-hidden="true" className="h-3 rounded-sm bg-bad" style={{ width: `${(jobs / most) * 80}%` }} />
                    <span className="figures">{formatNumber(jobs, locale)}</span>
                  </span>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </section>
  );
}
