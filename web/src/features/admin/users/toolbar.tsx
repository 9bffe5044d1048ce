/** Search and filters over the accounts. */
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { UserFilter } from "@/api/admin";
import { Choice } from "@/components/choice";
import { SearchBox } from "@/components/search-box";
import { ROLES, STATUSES, type useFilter } from "./use-filter";

interface ToolbarProps {
  filter: UserFilter;
  onFilter: ReturnType<typeof useFilter>["setFilter"];
  /** How many there are. */
  children: ReactNode;
}

export function Toolbar({ filter, onFilter, children }: ToolbarProps) {
  const { t } = useTranslation("admin");
  return (
    <search className="grid grid-cols-2 items-center gap-3 @3xl:grid-cols-[minmax(0,20rem)_10rem_12rem_auto]">
      <SearchBox
        label={t("search")}
        clearLabel={t("clear_search")}
        value={filter.q ?? ""}
        onChange={(q) => onFilter({ q })}
        className="col-span-full @3xl:col-span-1"
      />
      <Choice
        label={t("columns.status")}
        all={t("all_statuses")}
        value={filter.status}
        options={STATUSES.map((value) => ({ value, text: t(`status.${value}`) }))}
        onChange={(status) => onFilter({ status })}
      />
      <Choice
        label={t("columns.role")}
        all={t("all_roles")}
        value={filter.role}
        options={ROLES.map((value) => ({ value, text: t(`role.${value}`) }))}
        onChange={(role) => onFilter({ role })}
      />
      <p role="status" className="col-span-full text-sm text-ink-soft @3xl:col-span-1">
        {children}
      </p>
    </search>
  );
}
