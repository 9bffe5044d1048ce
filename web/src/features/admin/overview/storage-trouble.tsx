/** Problems that prevent the server from storing data, shown first because they affect all users. */
import { CircleAlert, HardDrive } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Overview } from "@/api/admin-overview";
import { cx } from "@/lib/class-names";

type Trouble = "folder" | "full" | "database" | "low";

/** The most severe problem; null if data can be stored. */
export function troubleOf({ space, has_folder, stores }: Overview["storage"]): Trouble | null {
  if (!has_folder) return "folder";
  if (space === "full") return "full";
  if (!stores) return "database";
  return space === "low" ? "low" : null;
}

export function StorageTrouble({ storage }: Pick<Overview, "storage">) {
  const { t } = useTranslation("admin-overview");
  const trouble = troubleOf(storage);
  if (!trouble) return null;
  const passing = trouble === "low";
  const Icon = passing ? HardDrive : CircleAlert;
  return (
    <div
      role="alert"
      className={cx("flex items-start gap-2.5 rounded px-3.5 py-3", passing ? "bg-warn-wash text-warn" : "bg-bad-wash text-bad")}
    >
      <Icon aria-hidden="true" className="mt-0.5 size-4.5 shrink-0" />
      <div>
        <p className="font-strong">{t(`trouble.${trouble}.title`)}</p>
        <p className="text-sm">{t(`trouble.${trouble}.text`)}</p>
      </div>
    </div>
  );
}
