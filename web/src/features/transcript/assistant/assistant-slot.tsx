/** The assistant's place: its code is loaded when it is first opened, and it stays mounted afterwards. */
import { Suspense, useState } from "react";
import { Skeleton } from "@/components/skeleton";
import { withTexts } from "@/lib/i18n";
import { lazyPart } from "@/lib/part";
import type { AssistantProps } from "./assistant";

const Assistant = lazyPart(async () => (await withTexts(import("./assistant"), "analysis")).Assistant);

export function AssistantSlot(props: AssistantProps) {
  const [opened, setOpened] = useState(props.open);
  if (props.open && !opened) {
    setOpened(true);
  }
  return (
    opened && (
      <Suspense fallback={<Skeleton className="h-40 w-full" />}>
        <Assistant {...props} />
      </Suspense>
    )
  );
}
