/** Sign-ins as a table, or as cards on a phone. */
import { useTranslation } from "react-i18next";
import type { SignIn, SignInCount } from "@/api/admin-sign-ins";
import { useLocale } from "@/hooks/use-locale";
import { describeDevice } from "@/lib/device";
import { formatDateTime, formatFullDateTime, formatNumber } from "@/lib/format";
import { ListTable } from "../list-table";

interface RowsProps {
  rows: readonly SignIn[] | undefined;
}

const WIDTHS = { time: "w-34", who: "w-[26%]", outcome: "w-[26%]", address: "w-[18%]", browser: "" } as const;
const CELL = "px-3 py-(--row) align-top first:pl-0 last:pr-0";

export function SignInTable({ rows }: RowsProps) {
  const { t } = useTranslation("admin-sign-ins");
  return (
    <ListTable
      label={t("title")}
      widths={WIDTHS}
      heading={(column) => t(`columns.${column}`)}
      padding="px-3"
      cell={CELL}
      height="h-10"
    >
      {rows?.map((row) => (
        <tr key={row.id} className="border-b border-rule hover:bg-paper-sunk/60">
          <td className={`${CELL} whitespace-nowrap text-ink-soft`}>
            <Time at={row.created_at} />
          </td>
          <td className={`${CELL} wrap-anywhere`}>
            <Who row={row} />
          </td>
          <td className={`${CELL} wrap-anywhere`}>
            <Outcome row={row} />
          </td>
          <td className={`${CELL} figures text-[0.8125rem] wrap-anywhere`}>
            <Address row={row} />
          </td>
          <td className={`${CELL} wrap-anywhere`}>
            <Browser row={row} />
          </td>
        </tr>
      ))}
    </ListTable>
  );
}

export function SignInCards({ rows }: RowsProps) {
  const { t } = useTranslation("admin-sign-ins");
  return (
    <ul aria-label={t("title")} aria-busy={!rows} className="border-t-2 border-ink">
      {rows?.map((row) => (
        <li key={row.id} className="flex flex-col gap-1 border-b border-rule py-3 wrap-anywhere">
          <div className="flex flex-wrap items-baseline justify-between gap-x-3">
            <p className="font-strong">
              <Who row={row} />
            </p>
            <p className="text-sm text-ink-soft">
              <Time at={row.created_at} />
            </p>
          </div>
          <div className="text-sm">
            <Outcome row={row} />
          </div>
          <p className="flex flex-wrap gap-x-3 text-sm text-ink-soft">
            <span className="figures text-[0.8125rem]">
              <Address row={row} />
            </span>
            <Browser row={row} />
          </p>
        </li>
      ))}
    </ul>
  );
}

function Time({ at }: { at: string }) {
  const locale = useLocale();
  return (
    <time dateTime={at} title={formatFullDateTime(at, locale)}>
      {formatDateTime(at, locale)}
    </time>
  );
}

function Who({ row: { email, times } }: { row: SignIn }) {
  const { t } = useTranslation("admin-sign-ins");
  return email || <span className="text-ink-faint">{t(times > 1 ? "somebody" : "unknown")}</span>;
}

function Outcome({ row: { outcome, method, times, last_at } }: { row: SignIn }) {
  const { t } = useTranslation("admin-sign-ins");
  const locale = useLocale();
  return (
    <>
      <span className={outcome === "signed_in" ? "text-good" : "text-bad"}>{t(`outcomes.${outcome}`)}</span>
      <span className="block text-ink-soft">
        {t(`methods.${method}`)}
        {times > 1 && <> · {t("times", { count: times, until: formatDateTime(last_at, locale) })}</>}
      </span>
    </>
  );
}

function Address({ row: { address } }: { row: SignIn }) {
  const { t } = useTranslation("admin-sign-ins");
  return address || t("many_addresses");
}

/** A short name of the browser, with the full user agent as a tooltip. */
function Browser({ row: { user_agent } }: { row: SignIn }) {
  const { t } = useTranslation("admin-sign-ins");
  const device = describeDevice(user_agent);
  const name = [device.program, device.system].filter(Boolean).join(", ");
  return <span title={user_agent || undefined}>{name || t("unknown")}</span>;
}

interface CountsProps {
  counts: readonly SignInCount[];
}

/** The number of each outcome, the most frequent first. */
export function Counts({ counts }: CountsProps) {
  const { t } = useTranslation("admin-sign-ins");
  const locale = useLocale();
  if (counts.length === 0) return null;
  return (
    <dl aria-label={t("by_outcome")} className="flex flex-wrap gap-x-6 gap-y-1 text-sm">
      {counts.map(({ outcome, times }) => (
        <div key={outcome} className="flex items-baseline gap-2">
          <dt className="text-ink-soft">{t(`outcomes.${outcome}`)}</dt>
          <dd className="figures font-strong">{formatNumber(times, locale)}</dd>
        </div>
      ))}
    </dl>
  );
}
