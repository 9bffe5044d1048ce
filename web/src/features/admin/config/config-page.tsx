/** /admin/config: what administrators set while the server runs. Each card saves for itself; the page keeps what is not. */
import { type ComponentType, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { useUnsavedGuard } from "@/hooks/use-unsaved-guard";
import { AnalysisCard } from "./analysis-card";
import type { CardProps } from "./config-card";
import { LeaveDialog } from "./leave-dialog";
import { MailCard } from "./mail-card";
import { ModelsCard } from "./models-card";
import { NocodbCard } from "./nocodb-card";
import { SettingsCard } from "./settings-card";
import { SiteCard } from "./site-card";
import { WebhooksCard } from "./webhooks-card";

/** The page from top to bottom; an id is the anchor in the address, and has its name in `sections`. */
const CARDS = [
  { id: "nocodb", Card: NocodbCard },
  { id: "models", Card: ModelsCard },
  { id: "analysis", Card: AnalysisCard },
  { id: "mail", Card: MailCard },
  { id: "webhooks", Card: WebhooksCard },
  { id: "site", Card: SiteCard },
  { id: "settings", Card: SettingsCard },
] as const satisfies readonly { id: string; Card: ComponentType<CardProps> }[];

export function ConfigPage() {
  const { t } = useTranslation("admin-config");
  const [dirty, setDirty] = useState<ReadonlySet<string>>(new Set());
  // Cards close nothing, so that only leaving the page asks.
  const guard = useUnsavedGuard(dirty.size > 0, () => {});

  const note = useCallback((id: string, isDirty: boolean) => {
    setDirty((before) => {
      if (before.has(id) === isDirty) return before;
      const after = new Set(before);
      if (isDirty) after.add(id);
      else after.delete(id);
      return after;
    });
  }, []);

  return (
    <div
      data-density="compact"
      className="mx-auto grid w-full max-w-6xl gap-x-10 px-4 pt-4 pb-16 text-[0.9375rem] md:px-8 md:pt-6 lg:grid-cols-[11rem_minmax(0,1fr)]"
    >
      <nav aria-label={t("nav")} className="lg:sticky lg:top-[calc(var(--header-height)+1.5rem)] lg:self-start">
        <ul className="flex flex-wrap gap-x-5 gap-y-1 lg:flex-col lg:gap-0 lg:border-l lg:border-rule">
          {CARDS.map(({ id }) => (
            <li key={id}>
              <a
                href={`#${id}`}
                className="inline-flex min-h-9 items-center py-1.5 leading-tight text-ink-soft hover:text-ink lg:-ml-px lg:border-l lg:border-transparent lg:pl-4 lg:hover:border-accent"
              >
                {t(`sections.${id}`)}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="min-w-0">
        <h2 className="headline mt-3 text-xl lg:mt-0">{t("title")}</h2>
        <p className="mt-1 max-w-[60ch] text-ink-soft">{t("lead")}</p>
        {CARDS.map(({ id, Card }) => (
          <div key={id} id={id} className="scroll-mt-(--header-height) border-b border-rule py-7 last:border-b-0">
            <DirtyCard id={id} Card={Card} onNote={note} />
          </div>
        ))}
      </div>
      {guard.asking && <LeaveDialog onStay={guard.stay} onDiscard={guard.discard} />}
    </div>
  );
}

interface DirtyCardProps {
  id: string;
  Card: ComponentType<CardProps>;
  onNote: (id: string, dirty: boolean) => void;
}

/** Gives a card a listener that stays the same, for it may stand in an effect. */
function DirtyCard({ id, Card, onNote }: DirtyCardProps) {
  const listen = useCallback((dirty: boolean) => onNote(id, dirty), [id, onNote]);
  return <Card onDirtyChange={listen} />;
}
