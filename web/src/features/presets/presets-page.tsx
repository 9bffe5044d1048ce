/** /presets: own and public presets as cards. Search and filters are in the URL. */

import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { type ReactNode, useId } from "react";
import { useTranslation } from "react-i18next";
import { useUser } from "@/api";
import { type Preset, presetsQuery, useImportPresets } from "@/api/presets";
import { Button } from "@/components/button";
import { NoPresets, NothingFound } from "@/components/drawings";
import { EmptyState, ErrorState } from "@/components/state-panel";
import { ImportSheet } from "@/domain/presets/import";
import { saveAll } from "@/domain/presets/preset-file";
import { matches } from "@/domain/presets/preset-filter";
import { usePresetFilter } from "@/domain/presets/use-preset-filter";
import { useDeletedPresets } from "./deletion";
import { DetailsSheet } from "./details-sheet";
import { EditorSheet } from "./editor-sheet";
import { PresetCard, SkeletonCard } from "./preset-card";
import { Toolbar } from "./toolbar";
import { type OpenSheet, useOpenSheet } from "./use-open-sheet";

const SKELETONS = ["a", "b", "c", "d", "e", "f"];

export function PresetsPage() {
  const { t } = useTranslation("presets");
  const user = useUser();
  const { filter, filtered, setFilter } = usePresetFilter();
  const { data, error, isError, refetch } = useQuery(presetsQuery());
  const deleted = useDeletedPresets();
  const sheet = useOpenSheet();
  const presets = data?.filter(({ id }) => !deleted.has(id));
  const ownPresets = presets?.filter(({ is_own }) => is_own);
  const matching = presets?.filter((preset) => matches(preset, filter));
  const cards = (list: readonly Preset[]) =>
    list.map((preset) => <PresetCard key={preset.id} preset={preset} onDetails={sheet.details} onEdit={sheet.edit} />);
  if (!user) return null;

  return (
    <div className="mx-auto flex w-full max-w-6xl flex-1 flex-col gap-7 px-4 py-5 md:px-8 md:py-7">
      {!(isError && !data) && <Toolbar filter={filter} onFilter={setFilter} onCreate={sheet.create} onImport={sheet.bringIn} />}
      {isError && !data ? (
        <ErrorState title={t("load_failed")} error={error} onRetry={() => void refetch()} />
      ) : !matching || !ownPresets ? (
        <ul aria-label={t("loading")} aria-busy="true" className={GRID}>
          {SKELETONS.map((key) => (
            <SkeletonCard key={key} />
          ))}
        </ul>
      ) : filtered && matching.length === 0 ? (
        <EmptyState
          drawing={NothingFound}
          title={t("nothing.title")}
          text={t("nothing.text")}
          actions={<Button onClick={() => setFilter({ q: "", category: "", mode: "" })}>{t("nothing.reset")}</Button>}
        />
      ) : (
        <>
          <Section
            title={t("own")}
            count={matching.filter(({ is_own }) => is_own).length}
            action={ownPresets.length > 0 && <ExportAll presets={ownPresets} />}
            empty={!filtered && <NoneYet onCreate={sheet.create} onImport={sheet.bringIn} />}
          >
            {cards(matching.filter(({ is_own }) => is_own))}
          </Section>
          <Section title={t("public")} count={matching.filter(({ is_own }) => !is_own).length}>
            {cards(matching.filter(({ is_own }) => !is_own))}
          </Section>
        </>
      )}
      <Sheets
        // Discards one user's input when another one signs in.
        key={user.id}
        open={sheet.open}
        presets={data}
        onEdit={sheet.edit}
        onClose={sheet.close}
      />
    </div>
  );
}

const GRID = "grid gap-4 sm:grid-cols-[repeat(auto-fill,minmax(19rem,1fr))]";

interface SectionProps {
  title: string;
  count: number;
  action?: ReactNode;
  /** Shown if there are no cards; without it the section is hidden then. */
  empty?: ReactNode;
  children: ReactNode;
}

function Section({ title, count, action, empty, children }: SectionProps) {
  const id = useId();
  if (count === 0 && !empty) return null;
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4">
      <div className="flex min-h-10 items-end gap-3 border-b-2 border-ink pb-1.5">
        <h2 id={id} className="headline text-lg">
          {title}
        </h2>
        {count > 0 && <span className="figures text-sm leading-6 text-ink-faint">{count}</span>}
        {action && <div className="ml-auto">{action}</div>}
      </div>
      {count === 0 ? empty : <ul className={GRID}>{children}</ul>}
    </section>
  );
}

function ExportAll({ presets }: { presets: readonly Preset[] }) {
  const { t } = useTranslation("presets");
  return (
    <Button look="quiet" size="small" className="-my-1" onClick={() => saveAll(presets)}>
      <Download aria-hidden="true" />
      {t("download_all")}
    </Button>
  );
}

function NoneYet({ onCreate, onImport }: { onCreate: () => void; onImport: () => void }) {
  const { t } = useTranslation("presets");
  return (
    <div className="flex flex-col gap-3 rounded-lg border border-dashed border-rule-strong px-4 py-5 sm:flex-row sm:items-center sm:gap-6 sm:px-6">
      <NoPresets className="w-28 shrink-0" />
      <div className="min-w-0 flex-1">
        <h3 className="headline text-lg">{t("empty.title")}</h3>
        <p className="mt-1 max-w-[60ch] text-[0.9375rem] text-ink-soft">{t("empty.text")}</p>
      </div>
      <div className="flex flex-wrap gap-3">
        <Button onClick={onCreate}>{t("empty.create")}</Button>
        <Button look="quiet" onClick={onImport}>
          {t("empty.import")}
        </Button>
      </div>
    </div>
  );
}

interface SheetsProps {
  open: OpenSheet | null;
  presets: readonly Preset[] | undefined;
  onEdit: (preset: Preset) => void;
  onClose: () => void;
}

/** The sheet closes if its preset was deleted meanwhile. */
function Sheets({ open, presets, onEdit, onClose }: SheetsProps) {
  const preset = open && "id" in open ? presets?.find(({ id }) => id === open.id) : undefined;
  switch (open?.sheet) {
    case "details":
      return preset && <DetailsSheet preset={preset} onEdit={onEdit} onClose={onClose} />;
    case "edit":
      return preset && <EditorSheet key={preset.id} preset={preset} onClose={onClose} />;
    case "create":
      return <EditorSheet preset={null} onClose={onClose} />;
    case "import":
      return <OwnImport onClose={onClose} />;
    default:
      return null;
  }
}

function OwnImport({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation("presets");
  return <ImportSheet text={t("import.text")} bringIn={useImportPresets()} onClose={onClose} />;
}
