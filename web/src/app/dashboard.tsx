/** Combines the dashboard with the upload's drop zone, because features do not import each other. */
import { Suspense } from "react";
import { Skeleton } from "@/components/skeleton";
import { DashboardPage } from "@/features/dashboard";
import { withTexts } from "@/lib/i18n";
import { lazyPart } from "@/lib/part";

const QuickUpload = lazyPart(async () => (await withTexts(import("@/features/upload/quick-upload"), "upload")).QuickUpload);

export function Dashboard() {
  return (
    <DashboardPage
      start={
        <Suspense fallback={<Skeleton className="h-38 w-full rounded-lg max-sm:h-56" />}>
          <QuickUpload />
        </Suspense>
      }
    />
  );
}
