import { Plug, RefreshCw } from "lucide-react";
import { useTranslation } from "react-i18next";
import { type NocodbState, useTestNocodb } from "@/api/nocodb";
import { Button } from "@/components/button";
import { useErrorText } from "@/hooks/use-error-text";
import { useNocodbHint } from "@/hooks/use-nocodb-hint";
import { useNocodbSync } from "@/hooks/use-nocodb-sync";
import { toast } from "@/lib/toast";

/** Test and synchronisation: disabled with unsaved changes and while one of them is running. */
export function Actions({ state, dirty }: { state: NocodbState; dirty: boolean }) {
  const { t } = useTranslation("admin-nocodb");
  const { testing, preparing, test, prepare } = useTests();
  const { busy: syncing, start } = useNocodbSync();
  const atWork = testing || preparing || syncing;
  const disabled = dirty || !state.configured;
  const lacks = !dirty && state.last_test?.hint === "schema";
  return (
    <div className="flex flex-wrap gap-3">
      <Button disabled={disabled || (atWork && !testing)} busy={testing} onClick={test}>
        {!testing && <Plug aria-hidden="true" />}
        {testing ? t("testing") : t("test")}
      </Button>
      {lacks && (
        <Button disabled={atWork && !preparing} busy={preparing} onClick={prepare}>
          {preparing ? t("preparing") : t("prepare")}
        </Button>
      )}
      <Button look="primary" disabled={disabled || (atWork && !syncing)} busy={syncing} onClick={start}>
        {!syncing && <RefreshCw aria-hidden="true" />}
        {syncing ? t("syncing") : t("sync")}
      </Button>
    </div>
  );
}

function useTests() {
  const { t } = useTranslation("admin-nocodb");
  const errorText = useErrorText();
  const hint = useNocodbHint();
  const test = useTestNocodb("test");
  const prepare = useTestNocodb("prepare");
  const go = (action: typeof test) => async () => {
    try {
      const result = await action.mutateAsync();
      if (result.success) toast.success(t("test_done", { count: result.tables_found }));
      // Translated; the original message is in the panel of the test.
      else toast.error(t("connection_failed", { error: hint(result.hint) ?? result.error ?? "" }));
    } catch (error) {
      toast.error(`${t("test_failed")}. ${errorText(error)}`);
    }
  };
  return {
    testing: test.isPending,
    preparing: prepare.isPending,
    test: () => void go(test)(),
    prepare: () => void go(prepare)(),
  };
}
