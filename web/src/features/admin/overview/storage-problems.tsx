/** Problems that prevent the server from storing data, shown first because they affect all users. */
import { CircleAlert, HardDrive } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { Overview } from "@/api/admin-overview";
import { cx } from "@/lib/class-names";

type StorageProblem = "folder" | "store" | "full" | "database" | "low";

/** The most severe problem; null if data can be stored. */
export function storageProblem({ space, has_folder, is_shared, stores }: Overview["storage"]): StorageProblem | null {
  if (!has_folder) return is_shared ? "store" : "folder";
  if (space === "full") return "full";
  if (!stores) return "database";
  return space === "low" ? "low" : null;
}

export function StorageProblems({ storage }: Pick<Overview, "storage">) {
  const { t } = useTranslation("admin-overview");
  const problem = storageProblem(storage);
  if (!problem) return null;
  const passing = problem === "low";
  const Icon = passing ? HardDrive : CircleAlert;
  return (
    <div
      role="alert"
      className={cx("flex items-start gap-2.5 rounded px-3.5 py-3", passing ? "bg-warn-wash text-warn" : "bg-bad-wash text-bad")}
    >
      <Icon aria-hidden="true" className="mt-0.5 size-4.5 shrink-0" />
      <div>
        <p className="font-strong">{t(`trouble.${problem}.title`)}</p>
        <p className="text-sm">{t(`trouble.${problem}.text`)}</p>
      </div>
    </div>
  );
}
