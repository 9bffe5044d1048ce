/** Whether an account is active or blocked, as an icon and a word. */
import { Ban, Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { ManagedUser } from "@/api/admin";

const SIGNS = {
  active: { icon: Check, look: "bg-good-wash text-good" },
  blocked: { icon: Ban, look: "bg-bad-wash text-bad" },
} as const;

export function UserStatus({ status }: { status: ManagedUser["status"] }) {
  const { t } = useTranslation("admin");
  const { icon: Icon, look } = SIGNS[status];
  return (
    <span className={`inline-flex items-center gap-1.5 rounded-sm px-1.5 py-0.5 text-sm whitespace-nowrap ${look}`}>
      <Icon aria-hidden="true" className="size-3.5 shrink-0" />
      {t(`status.${status}`)}
    </span>
  );
}
