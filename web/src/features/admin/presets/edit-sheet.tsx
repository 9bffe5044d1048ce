/** Edits a preset on three tabs. The rules check it before it is saved. */
import { CircleCheck } from "lucide-react";
import { Tabs } from "radix-ui";
import { useEffect, useEffectEvent, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ManagedPreset } from "@/api/managed-presets";
import { Button } from "@/components/button";
import { FormAlert } from "@/components/form-alert";
import { GuardedSheet } from "@/components/guarded-sheet";
import { TwoLanguagesNote } from "@/components/two-languages-note";
import type { BrokenRule } from "@/hooks/use-violation-text";
import { AdvancedTab } from "./advanced-tab";
import { BasicTab } from "./basic-tab";
import { TABS, type Tab, tabOf } from "./edit-fields";
import { PresetViolations } from "./preset-violations";
import { TranscriptionTab } from "./transcription-tab";
import { useEdit } from "./use-edit";

export type Edit = ReturnType<typeof useEdit>;

const PANELS = { basic: BasicTab, transcription: TranscriptionTab, advanced: AdvancedTab } as const;

interface EditSheetProps {
  preset: ManagedPreset;
  onClose: () => void;
}

export function EditSheet({ preset, onClose }: EditSheetProps) {
  const { t } = useTranslation("admin-presets");
  const edit = useEdit(preset, onClose);
  const { root, tab, setTab } = useTab(edit.violations, edit.refusals);
  const id = useId();
  return (
    <GuardedSheet
      title={t("editor.title")}
      kicker={<span className="figures font-normal tracking-normal normal-case">{preset.preset_id}</span>}
      unsaved={edit.unsaved && !edit.saved}
      onClose={onClose}
      className="md:min-h-[min(36rem,calc(100dvh-14rem))]"
      footer={
        <>
          <Button className="mr-auto" onClick={edit.validate} disabled={edit.saving}>
            {t("editor.validate")}
          </Button>
          <Button onClick={onClose} disabled={edit.saving}>
            {t("editor.cancel")}
          </Button>
          <Button look="primary" type="submit" form={id} busy={edit.saving}>
            {t("editor.save")}
          </Button>
        </>
      }
    >
      <form
        id={id}
        noValidate
        data-density="compact"
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          edit.save();
        }}
      >
        <FormAlert text={edit.failure} />
        <PresetViolations violations={edit.violations} />
        <TwoLanguagesNote preset={preset} />
        <p role="status" className="not-has-[svg]:-mt-5">
          {edit.passed && (
            <span className="flex items-center gap-2 rounded bg-good-wash px-4 py-2.5 text-[0.9375rem] text-good">
              <CircleCheck aria-hidden="true" className="size-4.5 shrink-0" />
              {t("editor.valid")}
            </span>
          )}
        </p>
        <Tabs.Root ref={root} value={tab} onValueChange={(next) => setTab(next as Tab)} className="flex flex-col gap-5">
          <Tabs.List aria-label={t("editor.tabs")} className="flex gap-6 border-b border-rule-strong">
            {TABS.map((name) => (
              <Tabs.Trigger
                key={name}
                value={name}
                className="-mb-px flex min-h-10 items-center gap-2 border-b-[3px] border-transparent pt-0.5 outline-offset-4 transition-colors not-data-[state=active]:text-ink-soft hover:text-ink data-[state=active]:border-accent data-[state=active]:font-strong pointer-coarse:min-h-11"
              >
                {t(`tabs.${name}`)}
                <Mark count={edit.violations.filter(({ field }) => tabOf(field) === name).length} />
              </Tabs.Trigger>
            ))}
          </Tabs.List>
          {/* All tabs are mounted, so that a field can be focused as soon as its tab is opened. */}
          {TABS.map((name) => {
            const Panel = PANELS[name];
            return (
              <Tabs.Content key={name} value={name} forceMount tabIndex={-1} className="data-[state=inactive]:hidden">
                <Panel edit={edit} />
              </Tabs.Content>
            );
          })}
        </Tabs.Root>
      </form>
    </GuardedSheet>
  );
}

/** Number of violations on a tab that is not open. */
function Mark({ count }: { count: number }) {
  const { t } = useTranslation("admin-presets");
  if (count === 0) return null;
  return (
    <span className="figures inline-flex h-5 min-w-5 items-center justify-center rounded-full bg-bad-wash px-1.5 text-xs text-bad">
      <span aria-hidden="true">{count}</span>
      <span className="sr-only">{t("tabs.wrong", { count })}</span>
    </span>
  );
}

/** The open tab. After a refusal it is the tab of the first violation, and its field is focused. */
function useTab(violations: readonly BrokenRule[], refusals: number) {
  const root = useRef<HTMLDivElement>(null);
  const [tab, setTab] = useState<Tab>("basic");
  const [lastRefusals, setLastRefusals] = useState(refusals);
  const first = violations.map(({ field }) => tabOf(field)).find((name) => name !== null);
  if (lastRefusals !== refusals) {
    setLastRefusals(refusals);
    if (first) setTab(first);
  }
  const showFirst = useEffectEvent(() => {
    root.current?.querySelector<HTMLElement>("[data-state=active] [aria-invalid=true]")?.focus();
  });
  useEffect(() => {
    if (refusals > 0) showFirst();
  }, [refusals]);
  return { root, tab, setTab };
}
