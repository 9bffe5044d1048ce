/** The known actions of the audit log, grouped by the noun before their dot. */
import { useTranslation } from "react-i18next";
import { AUDIT_ACTIONS } from "@/rules/constants";

type Action = (typeof AUDIT_ACTIONS)[number];

export type Noun = Action extends `${infer Before}.${string}` ? Before : never;

const nounOf = (action: Action) => action.slice(0, action.indexOf(".")) as Noun;

export const NOUNS: readonly Noun[] = [...new Set(AUDIT_ACTIONS.map(nounOf))];

export const actionsOf = (noun: Noun): readonly Action[] => AUDIT_ACTIONS.filter((action) => nounOf(action) === noun);

export const isKnown = (action: string): boolean => ([...NOUNS, ...AUDIT_ACTIONS] as readonly string[]).includes(action);

/** The label of an action: `plan.update` is translated by `actions.plan.update`. */
export function useActionName(): (action: string) => string {
  const { t, i18n } = useTranslation("admin-audit");
  return (action) => {
    const key = `admin-audit:actions.${action}`;
    const text: unknown = i18n.exists(key) ? t(`actions.${action}` as "actions.plan.update") : null;
    return typeof text === "string" ? text : t("other_action");
  };
}
