/** Brings back the presets that come with the program. What was changed of them is lost by it, so that is asked first. */
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { standardPresetsQuery, useLoadStandard } from "@/api/managed-presets";
import { useErrorText } from "@/hooks/use-error-text";
import { toast } from "@/lib/toast";

export function useStandard() {
  const { t } = useTranslation("admin-presets");
  const errorText = useErrorText();
  const { data } = useQuery(standardPresetsQuery());
  const load = useLoadStandard();
  const changed = data?.changed ?? 0;
  return {
    /** How many there are; undefined while that is not known. */
    total: data?.total,
    busy: load.isPending,
    load: () => {
      if (changed > 0 && !window.confirm(t("standard.question", { count: changed }))) return;
      load.mutate(undefined, {
        onSuccess: ({ loaded }) => toast.success(t("standard.done", { count: loaded })),
        onError: (error) => toast.error(t("failed", { message: errorText(error) })),
      });
    },
  };
}
