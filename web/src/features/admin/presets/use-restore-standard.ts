/** Restores the built-in presets. Asks for confirmation first, because changes to them are lost. */
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { standardPresetsQuery, useLoadStandard } from "@/api/managed-presets";
import { useErrorText } from "@/hooks/use-error-text";
import { toast } from "@/lib/toast";

export function useRestoreStandard() {
  const { t } = useTranslation("admin-presets");
  const errorText = useErrorText();
  const { data } = useQuery(standardPresetsQuery());
  const load = useLoadStandard();
  const changed = data?.changed ?? 0;
  const [asking, setAsking] = useState(false);
  const bringBack = async () => {
    try {
      const { loaded } = await load.mutateAsync();
      toast.success(t("standard.done", { count: loaded }));
    } catch (error) {
      toast.error(t("failed", { message: errorText(error) }));
    }
  };
  return {
    /** Number of built-in presets; undefined while unknown. */
    total: data?.total,
    busy: load.isPending,
    /** Number of presets that would lose their changes; null while the dialog is closed. */
    asking: asking ? changed : null,
    stop: () => setAsking(false),
    bringBack,
    load: () => (changed > 0 ? setAsking(true) : void bringBack()),
  };
}
