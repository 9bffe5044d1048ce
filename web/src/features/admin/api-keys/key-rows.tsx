/** Keys with their owners, as a table, or as cards on a phone. While loading, placeholders of the rows. */
import { useTranslation } from "react-i18next";
import type { OwnedApiKey } from "@/api/admin-api-keys";
import { Button } from "@/components/button";
import { Skeleton } from "@/components/skeleton";
import { Created, Expiry, KeyHint, LastUse } from "@/domain/api-keys/key-parts";
import { ScopeBadges } from "@/domain/api-keys/scopes";
import { ListTable } from "../list-table";

interface RowsProps {
  rows: readonly OwnedApiKey[] | undefined;
  onRevoke: (key: OwnedApiKey) => void;
}

const WIDTHS = { owner: "w-[23%]", key: "", created: "w-30", expires: "w-36", used: "w-36", actions: "w-32" } as const;
const SKELETONS = ["a", "b", "c", "d", "e", "f", "g", "h"];
const CELL = "px-2.5 py-(--row) align-top first:pl-0 last:pr-0";

export function KeyTable({ rows, onRevoke }: RowsProps) {
  const { t } = useTranslation("api-keys");
  return (
    <ListTable label={t("title")} widths={WIDTHS} heading={(column) => t(`admin.columns.${column}`)} padding="px-2.5" cell={CELL}>
      {rows?.map((row) => (
        <Row key={row.key.id} row={row} onRevoke={() => onRevoke(row)} />
      ))}
    </ListTable>
  );
}

interface RowProps {
  row: OwnedApiKey;
  onRevoke: () => void;
}

function Row({ row: { email, key }, onRevoke }: RowProps) {
  return (
    <tr className="border-b border-rule hover:bg-paper-sunk/60">
      <td className={`${CELL} wrap-anywhere`}>{email}</td>
      <td className={`${CELL} wrap-anywhere`}>
        <p className="mb-1 flex flex-wrap items-baseline gap-x-2.5">
          {key.name}
          <KeyHint apiKey={key} />
        </p>
        <ScopeBadges scopes={key.scopes} />
      </td>
      <td className={`${CELL} text-ink-soft`}>
        <Created bare apiKey={key} />
      </td>
      <td className={`${CELL} text-ink-soft`}>
        <Expiry bare apiKey={key} />
      </td>
      <td className={`${CELL} text-ink-soft`}>
        <LastUse bare apiKey={key} />
      </td>
      <td className={`${CELL} text-right`}>
        <Revoke name={key.name} onRevoke={onRevoke} />
      </td>
    </tr>
  );
}

export function KeyCards({ rows, onRevoke }: RowsProps) {
  const { t } = useTranslation("api-keys");
  return (
    <ul aria-label={t("title")} aria-busy={!rows} className="border-t-2 border-ink">
      {rows
        ? rows.map((row) => <Card key={row.key.id} row={row} onRevoke={() => onRevoke(row)} />)
        : SKELETONS.map((key) => (
            <li key={key} className="border-b border-rule py-3">
              <Skeleton className="h-5 w-3/5" />
              <Skeleton className="mt-2 h-4 w-2/5" />
            </li>
          ))}
    </ul>
  );
}

function Card({ row: { email, key }, onRevoke }: RowProps) {
  return (
    <li className="flex items-start gap-3 border-b border-rule py-3">
      <div className="flex min-w-0 flex-1 flex-col gap-1.5">
        <p className="text-sm text-ink-soft wrap-anywhere">{email}</p>
        <p className="flex flex-wrap items-baseline gap-x-3">
          <span className="font-strong wrap-anywhere">{key.name}</span>
          <KeyHint apiKey={key} />
        </p>
        <ScopeBadges scopes={key.scopes} />
        <p className="flex flex-wrap items-baseline gap-x-4 gap-y-0.5 text-sm text-ink-soft">
          <Created apiKey={key} />
          <Expiry apiKey={key} />
          <LastUse apiKey={key} />
        </p>
      </div>
      <Revoke name={key.name} onRevoke={onRevoke} />
    </li>
  );
}

function Revoke({ name, onRevoke }: { name: string; onRevoke: () => void }) {
  const { t } = useTranslation("api-keys");
  return (
    <Button size="small" aria-label={t("revoke.named", { name })} onClick={onRevoke}>
      {t("revoke.action")}
    </Button>
  );
}
