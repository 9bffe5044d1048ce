/** The analyses of the text; their code is loaded when the tab is first opened. */
import { Suspense } from "react";
import { Skeleton } from "@/components/skeleton";
import { withTexts } from "@/lib/i18n";
import { lazyPart } from "@/lib/part";
import type { Workspace } from "../workspace";

const AnalysisTab = lazyPart(async () => (await withTexts(import("../analysis/analysis-tab"), "analysis")).AnalysisTab);

export function LazyAnalysisTab({ workspace }: { workspace: Workspace }) {
  return (
    <Suspense fallback={<Skeleton className="h-40 w-full" />}>
      <AnalysisTab workspace={workspace} />
    </Suspense>
  );
}
