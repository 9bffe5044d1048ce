/** Placeholder while an analysis is being loaded. */
import { useTranslation } from "react-i18next";
import { Skeleton } from "@/components/skeleton";

export function AnalysisSkeleton() {
  const { t } = useTranslation();
  return (
    <div role="status" aria-label={t("loading")} className="flex flex-col gap-4">
      <Skeleton className="h-4 w-2/3" />
      <Skeleton className="mt-4 h-6 w-40" />
      {["w-full", "w-11/12", "w-3/4"].map((width) => (
        <Skeleton key={width} className={`h-3 ${width}`} />
      ))}
      <Skeleton className="mt-6 h-6 w-52" />
      <Skeleton className="h-32 w-full" />
    </div>
  );
}
