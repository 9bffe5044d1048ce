import { Check, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { NocodbTest } from "@/api/nocodb";
import { useLocale } from "@/hooks/use-locale";
import { useNocodbHint } from "@/hooks/use-nocodb-hint";
import { formatDateTime, formatFullDateTime, formatNumber } from "@/lib/format";
import { Facts } from "./facts";

/** The result of the last test, and what to do about it. */
export function TestPanel({ test }: { test: NocodbTest }) {
  const { t } = useTranslation("admin-nocodb");
  const locale = useLocale();
  const hint = useNocodbHint()(test.hint);
  const Sign = test.success ? Check : TriangleAlert;
  const facts: (readonly [string, React.ReactNode])[] = [
    [
      t("result.tested_at"),
      <time key="at" dateTime={test.tested_at} title={formatFullDateTime(test.tested_at, locale)}>
        {formatDateTime(test.tested_at, locale)}
      </time>,
    ],
  ];
  const code = (text: string) => (
    <span lang="en" className="font-mono text-[0.8125rem] break-all">
      {text}
    </span>
  );
  if (test.error) facts.push([t("result.error"), code(test.error)]);
  if (test.status_code !== null) facts.push([t("result.status_code"), test.status_code]);
  if (test.api_version) facts.push([t("result.api_version"), test.api_version]);
  if (test.api_version) facts.push([t("result.tables_found"), formatNumber(test.tables_found, locale)]);
  const { missing_tables: tables = [], missing_fields: fields = [] } = test.details ?? {};
  if (tables.length > 0) facts.push([t("result.missing_tables"), code(tables.join(", "))]);
  if (fields.length > 0) facts.push([t("result.missing_fields"), code(fields.join(", "))]);
  return (
    <section
      aria-labelledby="nocodb-test"
      className={`flex flex-col gap-3 rounded border px-4 py-3 ${test.success ? "border-rule" : "border-bad"}`}
    >
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
        <h3 id="nocodb-test" className="text-[0.9375rem] font-strong">
          {t("result.title")}
        </h3>
        <p className={`flex items-center gap-1.5 text-sm ${test.success ? "text-good" : "text-bad"}`}>
          <Sign aria-hidden="true" className="size-4 shrink-0" />
          {test.success ? t("result.success") : t("result.failure")}
        </p>
      </div>
      {hint && (
        <p className="text-sm">
          <span className="sr-only">{t("result.hint")}: </span>
          {hint}
        </p>
      )}
      <Facts facts={facts} />
      {test.table_names.length > 0 && (
        <details className="text-sm">
          <summary className="cursor-pointer text-accent">{t("result.show_tables")}</summary>
          <ul className="mt-2 columns-1 gap-6 font-mono text-[0.8125rem] sm:columns-2">
            {test.table_names.map((name) => (
              <li key={name} className="break-all">
                {name}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
