/** What was found at a URL, before it is added; while it is being probed, a placeholder. */
import { useTranslation } from "react-i18next";
import type { UrlProbe } from "@/api";
import { Skeleton } from "@/components/skeleton";
import { useLocale } from "@/hooks/use-locale";
import { formatBytes, formatClock } from "@/lib/format";
import { SourceMark } from "../source-mark";

interface UrlPreviewProps {
  /** Null while it is being probed. */
  found: UrlProbe | null;
  url: string;
}

export function UrlPreview({ found, url }: UrlPreviewProps) {
  const { t } = useTranslation("upload");
  const locale = useLocale();
  if (!found) {
    return (
      <div className="flex items-center gap-4 rounded-lg border border-rule bg-paper-raised px-4 py-4">
        <Skeleton className="size-11 shrink-0" />
        <div className="flex grow flex-col gap-2">
          <Skeleton className="h-5 w-3/5" />
          <Skeleton className="h-4 w-2/5" />
        </div>
        <p className="sr-only">{t("url.asking")}</p>
      </div>
    );
  }
  const facts = [
    found.duration == null ? null : t("transfer.duration", { duration: formatClock(found.duration) }),
    found.size == null ? null : formatBytes(found.size, locale),
    hostOf(url),
  ];
  return (
    <section
      aria-label={t("url.preview")}
      className="flex animate-rise items-center gap-4 rounded-lg border border-rule bg-paper-raised px-4 py-4"
    >
      <span className="flex size-11 shrink-0 items-center justify-center rounded bg-paper-sunk text-ink-soft">
        <SourceMark of={found.kind} className="size-6" />
      </span>
      <div className="min-w-0 grow">
        <p className="line-clamp-2 font-strong break-words">{found.title ?? found.filename ?? url}</p>
        <p className="flex flex-wrap gap-x-3 text-sm text-ink-soft">
          <span>{t(`url.kind.${found.kind}`)}</span>
          {facts.map((fact) => fact !== null && <span key={fact}>{fact}</span>)}
        </p>
      </div>
    </section>
  );
}

/** The rules have accepted the URL; if the browser cannot parse it, it is shown as it is. */
function hostOf(url: string): string {
  try {
    return new URL(url).host;
  } catch {
    return url;
  }
}
