import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { useErrorText } from "@/hooks/use-error-text";
import { toast } from "@/lib/toast";

interface MoreButtonProps {
  /** From the list's query. */
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => Promise<{ isFetchNextPageError: boolean; error: unknown }>;
}

/** Loads the next page of a list, if there is one. */
export function MoreButton({ hasNextPage, isFetchingNextPage, fetchNextPage }: MoreButtonProps) {
  const { t } = useTranslation("admin-messages");
  const errorText = useErrorText();
  const more = async () => {
    const result = await fetchNextPage();
    if (result.isFetchNextPageError) toast.error(`${t("more_failed")}. ${errorText(result.error)}`);
  };
  return (
    hasNextPage && (
      <Button busy={isFetchingNextPage} onClick={() => void more()} className="mt-4 self-center">
        {t("more")}
      </Button>
    )
  );
}
