/** Search and filters for accounts. */
import { useQuery } from "@tanstack/react-query";
import { UserPlus } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { plansQuery, type UserFilter } from "@/api/admin";
import { Button } from "@/components/button";
import { Choice } from "@/components/choice";
import { SearchBox } from "@/components/search-box";
import { ACCOUNT_STATUSES, ROLES } from "@/rules/constants";
import type { useFilter } from "./use-filter";

interface ToolbarProps {
  filter: UserFilter;
  onFilter: ReturnType<typeof useFilter>["setFilter"];
  onInvite: () => void;
  /** The number of results. */
  children: ReactNode;
}

export function Toolbar({ filter, onFilter, onInvite, children }: ToolbarProps) {
  const { t } = useTranslation("admin");
  const { data: plans } = useQuery(plansQuery());
  return (
    <search className="grid grid-cols-2 items-center gap-3 @xl:grid-cols-3 @4xl:grid-cols-[minmax(0,20rem)_10rem_12rem_12rem_1fr]">
      <SearchBox
        label={t("search")}
        clearLabel={t("clear_search")}
        value={filter.q ?? ""}
        onChange={(q) => onFilter({ q })}
        className="col-span-full @4xl:col-span-1"
      />
      <Choice
        label={t("columns.status")}
        all={t("all_statuses")}
        value={filter.status}
        options={ACCOUNT_STATUSES.map((value) => ({ value, text: t(`status.${value}`) }))}
        onChange={(status) => onFilter({ status })}
      />
      <Choice
        label={t("columns.role")}
        all={t("all_roles")}
        value={filter.role}
        options={ROLES.map((value) => ({ value, text: t(`role.${value}`) }))}
        onChange={(role) => onFilter({ role })}
      />
      <Choice
        label={t("columns.plan")}
        all={t("all_plans")}
        value={filter.plan?.toString()}
        options={[
          { value: "0", text: t("without_plan") },
          ...(plans ?? []).map((plan) => ({ value: String(plan.subscription_id), text: plan.name })),
        ]}
        onChange={(plan) => onFilter({ plan })}
        className="@max-xl:col-span-full"
      />
      <div className="col-span-full flex flex-wrap items-center justify-between gap-3">
        <p role="status" className="text-sm text-ink-soft">
          {children}
        </p>
        <Button onClick={onInvite}>
          <UserPlus aria-hidden="true" />
          {t("invite.open")}
        </Button>
      </div>
    </search>
  );
}
