/** The audit log as a table, or as cards on a phone. While loading, placeholders of the rows. */
import { useTranslation } from "react-i18next";
import type { AuditEntry } from "@/api/admin-audit";
import { Skeleton } from "@/components/skeleton";
import { ListTable } from "../list-table";
import { ActionName, Actor, Changes, Target, Time } from "./entry-parts";

interface EntriesProps {
  entries: readonly AuditEntry[] | undefined;
}

const WIDTHS = { time: "w-34", who: "w-[19%]", what: "w-[19%]", target: "w-[20%]", changes: "" } as const;
const SKELETONS = ["a", "b", "c", "d", "e", "f", "g", "h"];
const CELL = "px-3 py-(--row) align-top first:pl-0 last:pr-0";

export function EntryTable({ entries }: EntriesProps) {
  const { t } = useTranslation("admin-audit");
  return (
    <ListTable
      label={t("title")}
      widths={WIDTHS}
      heading={(column) => t(`columns.${column}`)}
      padding="px-3"
      cell={CELL}
      height="h-10"
    >
      {entries?.map((entry) => (
        <Row key={entry.id} entry={entry} />
      ))}
    </ListTable>
  );
}

function Row({ entry }: { entry: AuditEntry }) {
  return (
    <tr className="border-b border-rule hover:bg-paper-sunk/60">
      <td className={`${CELL} whitespace-nowrap text-ink-soft`}>
        <Time at={entry.created_at} />
      </td>
      <td className={`${CELL} wrap-anywhere`}>
        <Actor entry={entry} />
      </td>
      <td className={`${CELL} wrap-anywhere`}>
        <ActionName action={entry.action} />
      </td>
      <td className={`${CELL} wrap-anywhere`}>
        <Target entry={entry} />
      </td>
      <td className={`${CELL} wrap-anywhere`}>
        <Changes entry={entry} />
      </td>
    </tr>
  );
}

export function EntryCards({ entries }: EntriesProps) {
  const { t } = useTranslation("admin-audit");
  return (
    <ul aria-label={t("title")} aria-busy={!entries} className="border-t-2 border-ink">
      {entries
        ? entries.map((entry) => <Card key={entry.id} entry={entry} />)
        : SKELETONS.map((key) => (
            <li key={key} className="border-b border-rule py-3">
              <Skeleton className="h-5 w-3/5" />
              <Skeleton className="mt-2 h-4 w-2/5" />
            </li>
          ))}
    </ul>
  );
}

function Card({ entry }: { entry: AuditEntry }) {
  return (
    <li className="flex flex-col gap-1 border-b border-rule py-3 wrap-anywhere">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        <p className="font-strong">
          <ActionName action={entry.action} />
        </p>
        <p className="text-sm text-ink-soft">
          <Time at={entry.created_at} />
        </p>
      </div>
      <div className="text-sm">
        <Target entry={entry} />
      </div>
      <div className="text-sm">
        <Changes entry={entry} />
      </div>
      <p className="text-sm text-ink-soft">
        <Actor entry={entry} />
      </p>
    </li>
  );
}
