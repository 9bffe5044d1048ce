/** All settings of a transcription, for the upload page, for presets and for the defaults of new transcriptions. */
import { Tabs } from "radix-ui";
import { type ReactNode, useEffect, useEffectEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Capabilities } from "@/api/capabilities";
import type { PlanFeature } from "@/api/subscription";
import { UNCOVERED } from "@/domain/uncovered";
import type { BrokenRule } from "@/hooks/use-violation-text";
import { cx } from "@/lib/class-names";
import { scrollBehavior } from "@/lib/scroll-behavior";
import type { SettingTab } from "@/rules";
import { SETTING_TABS } from "@/rules/constants";
import { AdvancedFields } from "./advanced-fields";
import { BasicFields } from "./basic-fields";
import { type Fields, FieldsContext, missingAbilities, useFieldErrors, useUnavailableReason } from "./fields-context";
import { notInPlan } from "./plan-of";
import type { Settings } from "./settings";
import { fieldOf } from "./table";
import { advancedCount, tabOf } from "./tabs";
import { useModeChoice } from "./use-mode-choice";
import { useQualityWarnings } from "./use-quality-warnings";

export interface SettingsFormProps {
  settings: Settings;
  /** Called with the complete new settings, because choosing a mode changes several fields. */
  onChange: (settings: Settings) => void;
  /** Violations, shown at their fields. */
  violations?: readonly BrokenRule[];
  /** Incremented with every refusal: the tab with the first violation is opened, and its field focused. */
  refusals?: number;
  /** The server's features; nothing is marked while they are unknown. */
  capabilities?: Capabilities | undefined;
  /** The features in the reader's plan; nothing is marked while they are unknown or if plans do not matter. */
  planFeatures?: readonly PlanFeature[] | undefined;
  /** Duration of the recording in seconds, for estimates; null while unknown. */
  duration?: number | null;
  /** What it means if no languages that may be spoken are selected; any language if absent. */
  languagesHint?: string | undefined;
  /** `defaults`: only the basic fields, stacked. */
  parts?: "all" | "defaults";
  /** Shown beside the tabs. */
  aside?: ReactNode;
}

export function SettingsForm({
  settings,
  onChange,
  violations = [],
  refusals = 0,
  capabilities,
  planFeatures,
  duration = null,
  languagesHint,
  parts = "all",
  aside,
}: SettingsFormProps) {
  const withMode = useModeChoice();
  const quality = useQualityWarnings(settings, capabilities?.speech_models);
  const fields: Fields = {
    settings,
    duration,
    languagesHint,
    change: (part) => onChange({ ...settings, ...part }),
    chooseMode: (mode) => {
      const next = withMode(settings, mode);
      quality.replaceLanguage(next.language_code === settings.language_code ? "" : settings.language_code);
      onChange(next);
    },
    useFull: () => {
      const next = withMode(settings, "full");
      onChange({ ...next, language_code: quality.replaced || next.language_code });
      quality.replaceLanguage("");
    },
    warnings: quality.warnings,
    ...useFieldErrors(violations),
    unavailableReason: useUnavailableReason(settings),
    lacks: missingAbilities(capabilities),
    notInPlan: notInPlan(planFeatures),
    textHost: capabilities?.text_goes_to ?? null,
  };
  return (
    <FieldsContext value={fields}>
      {/* The columns depend on the available width, in a page or a sheet. */}
      <div className="@container">
        {parts === "defaults" ? (
          <BasicFields narrow />
        ) : (
          <FormTabs violations={violations} refusals={refusals} aside={aside} settings={settings} />
        )}
      </div>
    </FieldsContext>
  );
}

const PANEL = "data-[state=inactive]:hidden";
const WRONG = ":is([aria-invalid=true], [data-invalid=true])";

type FormTabsProps = Required<Pick<SettingsFormProps, "violations" | "refusals" | "settings">> & Pick<SettingsFormProps, "aside">;

function FormTabs({ violations, refusals, settings, aside }: FormTabsProps) {
  const { t } = useTranslation("configure");
  const { root, tab, setTab } = useTab(violations, refusals);
  return (
    <Tabs.Root
      ref={root}
      value={tab}
      onValueChange={(next) => setTab(next as SettingTab)}
      className={cx("flex flex-col gap-4", UNCOVERED)}
    >
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2 @2xl:border-b @2xl:border-rule-strong">
        <Tabs.List
          aria-label={t("tabs.label")}
          className="flex gap-6 @max-2xl:w-full @max-2xl:border-b @max-2xl:border-rule-strong"
        >
          {SETTING_TABS.map((name) => (
            <Tabs.Trigger
              key={name}
              value={name}
              className="-mb-px flex min-h-10 items-center gap-2 border-b-[3px] border-transparent pt-0.5 outline-offset-4 transition-colors not-data-[state=active]:text-ink-soft hover:text-ink data-[state=active]:border-accent data-[state=active]:font-strong pointer-coarse:min-h-11"
            >
              {t(`tabs.${name}`)}
              <TabMark tab={name} count={name === "advanced" ? advancedCount(settings) : 0} violations={violations} />
            </Tabs.Trigger>
          ))}
        </Tabs.List>
        {aside}
      </div>
      {/* Both tabs are mounted, so that a field can be focused as soon as its tab is opened. */}
      <Tabs.Content value="basic" forceMount tabIndex={-1} className={PANEL}>
        <BasicFields narrow={false} />
      </Tabs.Content>
      <Tabs.Content value="advanced" forceMount tabIndex={-1} className={PANEL}>
        <AdvancedFields />
      </Tabs.Content>
    </Tabs.Root>
  );
}

/** The open tab. After a refusal it is the tab of the first violation, and its field is focused. */
function useTab(violations: readonly BrokenRule[], refusals: number) {
  const root = useRef<HTMLDivElement>(null);
  const [tab, setTab] = useState<SettingTab>("basic");
  const [lastRefusals, setLastRefusals] = useState(refusals);
  if (lastRefusals !== refusals) {
    setLastRefusals(refusals);
    const first = firstField(violations);
    if (first) setTab(first.tab);
  }
  const showFirst = useEffectEvent(() => {
    const first = firstField(violations);
    const wrong = first && root.current?.querySelector<HTMLElement>(`[data-field=${first.field}] ${WRONG}`);
    wrong?.focus({ preventScroll: true });
    // In the middle, neither under the tabs nor under the buttons.
    wrong?.scrollIntoView({ block: "center", behavior: scrollBehavior() });
  });
  useEffect(() => {
    if (refusals > 0) showFirst();
  }, [refusals]);
  return { root, tab, setTab };
}

/** The first setting with a violation, and its tab. */
function firstField(violations: readonly BrokenRule[]): { field: string; tab: SettingTab } | null {
  for (const { field } of violations) {
    const tab = tabOf(field);
    if (tab) return { field: fieldOf(field), tab };
  }
  return null;
}

interface TabMarkProps {
  tab: SettingTab;
  /** Number of settings on the tab that differ from the defaults. */
  count: number;
  violations: readonly BrokenRule[];
}

/** Summarises a tab that is not open. */
function TabMark({ tab, count, violations }: TabMarkProps) {
  const { t } = useTranslation("configure");
  const wrong = violations.filter(({ field }) => tabOf(field) === tab).length;
  if (wrong === 0 && count === 0) return null;
  const text = wrong > 0 ? t("tabs.wrong", { count: wrong }) : t("tabs.chosen", { count });
  return (
    <span
      className={cx(
        "figures inline-flex h-5 min-w-5 items-center justify-center rounded-full px-1.5 text-xs",
        wrong > 0 ? "bg-bad-wash text-bad" : "bg-accent-wash text-accent",
      )}
    >
      <span aria-hidden="true">{wrong || count}</span>
      <span className="sr-only">{text}</span>
    </span>
  );
}
