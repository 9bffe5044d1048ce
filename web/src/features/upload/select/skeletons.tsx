/** Placeholders for tabs whose code is loading. */
import { Skeleton } from "@/components/skeleton";

export function UrlSkeleton() {
  return (
    <div className="flex flex-col gap-1.5">
      <Skeleton className="h-5 w-40" />
      <div className="flex flex-wrap gap-2">
        <Skeleton className="h-(--control) grow basis-72" />
        <Skeleton className="h-(--control) w-36" />
      </div>
    </div>
  );
}

export function VoiceSkeleton() {
  return (
    <div className="flex min-h-80 flex-1 flex-col items-center justify-center gap-5 rounded-lg border-2 border-rule-strong bg-paper-raised px-4 py-8 md:max-h-[36rem]">
      <Skeleton className="h-9 w-72 max-w-full" />
      <Skeleton className="h-5 w-96 max-w-full" />
      <Skeleton className="h-(--control) w-48" />
    </div>
  );
}
