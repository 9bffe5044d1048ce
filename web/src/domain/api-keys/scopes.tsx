/** What API keys permit. */
import { useTranslation } from "react-i18next";
import type { ApiScope } from "@/api/api-keys";

const USUAL = "bg-accent-wash text-accent";

/** The administrators' scope stands out, because it permits the most. */
const LOOKS: Record<ApiScope, string> = { read: USUAL, write: USUAL, transcribe: USUAL, admin: "bg-warn-wash text-warn" };

/** In the order in which they are offered. */
export const SCOPES = Object.keys(LOOKS) as readonly ApiScope[];

/** The names of the scopes. */
export function ScopeBadges({ scopes }: { scopes: readonly ApiScope[] }) {
  const { t } = useTranslation("api-keys");
  return (
    <ul aria-label={t("scopes.label")} className="flex flex-wrap gap-1">
      {scopes.map((scope) => (
        <li key={scope} className={`rounded-sm px-1.5 py-px text-xs ${LOOKS[scope]}`}>
          {t(`scopes.${scope}.name`)}
        </li>
      ))}
    </ul>
  );
}
