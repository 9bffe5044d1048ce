/** Uploads without a transcription, which can be continued or deleted. */

import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { JobFilter } from "@/api/jobs";
import { type UploadState, unstartedUploadsQuery, useRemoveUpload } from "@/api/uploads";
import { Button, LinkButton } from "@/components/button";
import { NoRecordings } from "@/components/drawings";
import { InlineConfirm } from "@/components/inline-confirm";
import { Skeleton } from "@/components/skeleton";
import { EmptyState, ErrorState } from "@/components/state-panel";
import { useErrorText } from "@/hooks/use-error-text";
import { useLocale } from "@/hooks/use-locale";
import { formatBytes, formatClock, formatDateTime } from "@/lib/format";
import { toast } from "@/lib/toast";
import { unstartedWithin } from "./unstarted-filter";

interface UnstartedProps {
  filter: JobFilter;
  onReset: () => void;
}

export function Unstarted({ filter, onReset }: UnstartedProps) {
  const { t } = useTranslation("transcripts");
  const { data, error, refetch } = useQuery(unstartedUploadsQuery());
  if (error && !data) {
    return <ErrorState title={t("unstarted.load_failed")} error={error} onRetry={() => void refetch()} />;
  }
  const uploads = data && unstartedWithin(data, filter);
  if (uploads?.length === 0) {
    return (
      <EmptyState
        drawing={NoRecordings}
        title={t("unstarted.none")}
        text={t("unstarted.none_text")}
        actions={<Button onClick={onReset}>{t("nothing.reset")}</Button>}
      />
    );
  }
  return (
    <section aria-label={t("unstarted.title")} aria-busy={!uploads}>
      <p className="mb-3 max-w-[60ch] text-ink-soft">{t("unstarted.text")}</p>
      <ul className="border-t-2 border-ink">
        {uploads ? (
          uploads.map((upload) => <Row key={upload.upload_id} upload={upload} />)
        ) : (
          <li className="border-b border-rule py-3">
            <Skeleton className="h-5 w-64 max-w-full" />
          </li>
        )}
      </ul>
    </section>
  );
}

function Row({ upload: { upload_id, filename, size, stored, media, created_at } }: { upload: UploadState }) {
  const { t } = useTranslation(["transcripts", "common"]);
  const locale = useLocale();
  const errorText = useErrorText();
  const remove = useRemoveUpload();
  const name = filename || t("untitled");
  const onRemove = () =>
    remove.mutateAsync(upload_id).catch((error: unknown) => toast.error(t("delete_failed", { name, reason: errorText(error) })));
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-rule py-3">
      <div className="min-w-52 grow basis-52">
        <p className="font-strong wrap-anywhere">{name}</p>
        <p className="flex flex-wrap gap-x-3 text-sm text-ink-soft">
          <span className="figures">{formatBytes(size ?? stored, locale)}</span>
          {media?.duration != null && <span className="figures">{formatClock(media.duration)}</span>}
          <time dateTime={created_at}>{formatDateTime(created_at, locale)}</time>
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-2">
        <LinkButton to={`/upload?continue=${upload_id}`} size="small" label={t("unstarted.continue_named", { name })}>
          {t("unstarted.continue")}
        </LinkButton>
        <InlineConfirm
          label={t("common:actions.delete")}
          description={t("unstarted.delete_named", { name })}
          question={t("unstarted.delete_question")}
          confirm={t("common:actions.delete")}
          onConfirm={onRemove}
        />
      </div>
    </li>
  );
}
