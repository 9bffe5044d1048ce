/** The actions that the log knows, by the noun before their dot. */
import { useTranslation } from "react-i18next";

export const ACTIONS = {
  user: [
    "create",
    "rename",
    "set_status",
    "set_role",
    "set_plan",
    "adjust_balance",
    "end_sessions",
    "send_link",
    "export",
    "delete",
  ],
  plan: ["create", "update", "delete", "demo", "terms"],
  plan_request: ["approve", "decline"],
  preset: ["create", "update", "delete", "import", "load_standard", "sync"],
  webhook_service: ["create", "update", "delete"],
  nocodb: ["configure", "sync"],
  settings: ["update"],
  site: ["update"],
  model: ["pull", "verify", "remove", "use"],
  analysis: ["configure"],
  mail: ["test"],
  job: ["open", "retry", "cancel", "delete"],
  contact_message: ["handle", "delete"],
} as const;

export type Noun = keyof typeof ACTIONS;

export const NOUNS = Object.keys(ACTIONS) as readonly Noun[];

/** What an action is called: `plan.update` is what is under `actions.plan.update`. */
export function useActionName(): (action: string) => string {
  const { t, i18n } = useTranslation("admin-audit");
  return (action) => {
    const key = `admin-audit:actions.${action}`;
    const text: unknown = i18n.exists(key) ? t(`actions.${action}` as "actions.plan.update") : null;
    return typeof text === "string" ? text : t("other_action");
  };
}
