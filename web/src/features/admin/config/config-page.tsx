/**
 * /admin/config: settings that administrators change while the server runs, in sections. Each section is saved
 * separately; unsaved changes stay while other sections are open, and only leaving the page asks for confirmation.
 */
import { type ComponentType, Suspense, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { useUnsavedGuard } from "@/hooks/use-unsaved-guard";
import { type Namespace, withTexts } from "@/lib/i18n";
import { lazyPart } from "@/lib/part";
import { type CardProps, CardSkeleton } from "./config-card";
import { LeaveDialog } from "./leave-dialog";
import { SectionNav } from "./section-nav";
import { CONFIG_PATH, SECTIONS, type Section, sectionOf } from "./sections";

/** Loads a section's card and its texts when it is first opened. */
function card<Code>(code: () => Promise<Code>, pick: (code: Code) => ComponentType<CardProps>, ...texts: Namespace[]) {
  return lazyPart(async () => pick(await withTexts(code(), ...texts)));
}

const CARDS: Record<Section, ComponentType<CardProps>> = {
  setup: card(
    () => import("./setup-card"),
    ({ SetupCard }) => SetupCard,
    "admin-setup",
    "admin-site",
  ),
  mail: card(
    () => import("./mail-card"),
    ({ MailCard }) => MailCard,
  ),
  models: card(
    () => import("./models-card"),
    ({ ModelsCard }) => ModelsCard,
  ),
  speech: card(
    () => import("./speech-card"),
    ({ SpeechCard }) => SpeechCard,
    "configure",
  ),
  analysis: card(
    () => import("./analysis-card"),
    ({ AnalysisCard }) => AnalysisCard,
  ),
  address: card(
    () => import("./address-card"),
    ({ AddressCard }) => AddressCard,
    "admin-setup",
  ),
  site: card(
    () => import("./site-card"),
    ({ SiteCard }) => SiteCard,
    "admin-site",
  ),
  settings: card(
    () => import("./settings-card"),
    ({ SettingsCard }) => SettingsCard,
  ),
  care: card(
    () => import("./care-card"),
    ({ CareCard }) => CareCard,
    "admin-care",
  ),
  webhooks: card(
    () => import("./webhooks-card"),
    ({ WebhooksCard }) => WebhooksCard,
    "admin-webhooks",
    "webhooks",
  ),
  nocodb: card(
    () => import("./nocodb-card"),
    ({ NocodbCard }) => NocodbCard,
    "admin-nocodb",
  ),
};

export function ConfigPage() {
  const { t } = useTranslation("admin-config");
  const open = sectionOf(useLocation());
  const [dirty, setDirty] = useState<ReadonlySet<Section>>(new Set());
  // Opening another card discards nothing, so that only leaving the page asks.
  const guard = useUnsavedGuard(dirty.size > 0, () => {}, CONFIG_PATH);

  const note = useCallback((section: Section, isDirty: boolean) => {
    setDirty((before) => {
      if (before.has(section) === isDirty) return before;
      const after = new Set(before);
      if (isDirty) after.add(section);
      else after.delete(section);
      return after;
    });
  }, []);

  return (
    <div
      data-density="compact"
      className="mx-auto grid w-full max-w-6xl gap-x-10 gap-y-5 px-4 pt-4 pb-16 text-[0.9375rem] md:px-8 md:pt-6 lg:grid-cols-[11rem_minmax(0,1fr)]"
    >
      <header className="lg:col-span-2">
        <h2 className="headline text-xl">{t("title")}</h2>
        <p className="mt-1 max-w-[60ch] text-ink-soft">{t("lead")}</p>
      </header>
      <SectionNav open={open} dirty={dirty} />
      <div className="min-w-0">
        {SECTIONS.filter((section) => section === open || dirty.has(section)).map((section) => (
          <div key={section} hidden={section !== open}>
            <Suspense fallback={<CardSkeleton rows={4} />}>
              <DirtyCard section={section} onNote={note} />
            </Suspense>
          </div>
        ))}
      </div>
      {guard.asking && <LeaveDialog onStay={guard.stay} onDiscard={guard.discard} />}
    </div>
  );
}

interface DirtyCardProps {
  section: Section;
  onNote: (section: Section, dirty: boolean) => void;
}

/** Gives a card a stable callback, because it may be a dependency of an effect. */
function DirtyCard({ section, onNote }: DirtyCardProps) {
  const Card = CARDS[section];
  const listen = useCallback((dirty: boolean) => onNote(section, dirty), [section, onNote]);
  return <Card onDirtyChange={listen} />;
}
