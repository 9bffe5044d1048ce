/** /admin/presets: presets of all users, the most used first. Search and filters are in the URL. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { type ManagedPreset, managedPresetsQuery, useImportSystemPresets } from "@/api/managed-presets";
import { Button } from "@/components/button";
import { NoPresets, NothingFound } from "@/components/drawings";
import { EmptyState, ErrorState } from "@/components/state-panel";
import { ImportSheet } from "@/domain/presets/import";
import { usePresetFilter } from "@/domain/presets/use-preset-filter";
import { useMediaQuery } from "@/hooks/use-media-query";
import { useOpenSheets } from "@/hooks/use-open-sheets";
import { EditSheet } from "./edit-sheet";
import { PresetCards } from "./preset-cards";
import { PresetTable } from "./preset-table";
import { Toolbar } from "./toolbar";

export function AdminPresetsPage() {
  const { t } = useTranslation("admin-presets");
  const { filter, filtered, setFilter } = usePresetFilter();
  const list = useInfiniteQuery(managedPresetsQuery(filter));
  const sheet = useOpenSheets<ManagedPreset | "import">();
  const wide = useMediaQuery("(width >= 60rem)");
  const presets = list.data?.pages.flatMap((page) => page.items);
  const total = list.data?.pages[0]?.total;
  const List = wide ? PresetTable : PresetCards;
  return (
    <div
      data-density="compact"
      className="mx-auto flex w-full max-w-6xl flex-1 flex-col gap-4 px-4 py-4 text-[0.9375rem] md:px-8 md:py-6"
    >
      <Toolbar filter={filter} onFilter={setFilter} onImport={() => sheet.show("import")}>
        {total !== undefined ? t("total", { count: total }) : !list.isError && t("loading")}
      </Toolbar>
      {list.isError && !presets ? (
        <ErrorState title={t("load_failed")} error={list.error} onRetry={() => void list.refetch()} />
      ) : presets?.length === 0 ? (
        <EmptyState
          drawing={filtered ? NothingFound : NoPresets}
          title={t(filtered ? "nothing" : "empty")}
          text={t(filtered ? "nothing_text" : "empty_text")}
          actions={filtered && <Button onClick={() => setFilter({ q: "", category: "", mode: "" })}>{t("show_all")}</Button>}
        />
      ) : (
        <List presets={presets} onEdit={sheet.show} />
      )}
      {list.hasNextPage && (
        <Button className="self-center" busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
          {t("load_more")}
        </Button>
      )}
      {sheet.open === "import" && <SystemImport onClose={sheet.close} />}
      {sheet.open !== null && sheet.open !== "import" && <EditSheet preset={sheet.open} onClose={sheet.close} />}
    </div>
  );
}

function SystemImport({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("admin-presets");
  return <ImportSheet text={t("import_text")} bringIn={useImportSystemPresets()} onClose={onClose} />;
}
