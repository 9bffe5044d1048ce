/** /settings: profile, security, preferences, API keys, webhooks, sources, targets. The open tab is in the URL, for reload and the Back button. */
import { Tabs } from "radix-ui";
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { useUser } from "@/api";
import { Skeleton } from "@/components/skeleton";
import { useTabInUrl } from "@/lib/history";
import { withTexts } from "@/lib/i18n";
import { lazyPart } from "@/lib/part";
import { PreferencesTab } from "./preferences-tab";
import { ProfileTab } from "./profile-tab";
import { SecurityTab } from "./security-tab";
import { parseTab, TABS } from "./tab";

/** Few need these, so their code is loaded when they are first opened. */
const ApiKeysTab = lazyPart(async () => (await withTexts(import("./api-keys/api-keys-tab"), "api-keys")).ApiKeysTab);
const SourcesTab = lazyPart(async () => (await withTexts(import("./sources/sources-tab"), "sources", "targets")).SourcesTab);
const WebhooksTab = lazyPart(async () => (await withTexts(import("./webhooks/webhooks-tab"), "webhooks")).WebhooksTab);

const PANEL = "outline-offset-4 data-[state=inactive]:hidden";

export function SettingsPage() {
  const { t } = useTranslation("settings");
  const user = useUser();
  const [tab, open] = useTabInUrl(parseTab, (next) => ({ tab: next }));
  if (!user) return null;
  return (
    <Tabs.Root
      // Discards one user's input when another one signs in.
      key={user.id}
      value={tab}
      // The arrow keys move between tabs without opening them, because each opened tab is an entry in the history.
      activationMode="manual"
      className="mx-auto w-full max-w-4xl px-4 pt-3 pb-10 md:px-8 md:pt-5"
    >
      <Tabs.List
        aria-label={t("tabs.label")}
        className="flex flex-wrap justify-between gap-x-3 border-b-2 border-ink sm:justify-start sm:gap-x-8"
      >
        {TABS.map((name) => (
          <Tabs.Trigger
            key={name}
            value={name}
            onClick={() => open(name)}
            className="-mb-[2px] min-h-11 border-b-[4px] border-transparent pt-1 -outline-offset-2 transition-colors not-data-[state=active]:text-ink-soft hover:text-ink data-[state=active]:border-accent data-[state=active]:font-strong"
          >
            {t(`tabs.${name}`)}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      {/* Stays mounted while another tab is open, so that no input is lost. */}
      <Tabs.Content value="profile" forceMount className={PANEL}>
        <ProfileTab user={user} />
      </Tabs.Content>
      <Tabs.Content value="security" className={PANEL}>
        <SecurityTab user={user} />
      </Tabs.Content>
      <Tabs.Content value="preferences" className={PANEL}>
        <PreferencesTab user={user} />
      </Tabs.Content>
      <Tabs.Content value="api-keys" className={PANEL}>
        <Suspense fallback={<Skeleton className="my-7 h-40 w-full" />}>
          <ApiKeysTab user={user} />
        </Suspense>
      </Tabs.Content>
      <Tabs.Content value="webhooks" className={PANEL}>
        <Suspense fallback={<Skeleton className="my-7 h-40 w-full" />}>
          <WebhooksTab />
        </Suspense>
      </Tabs.Content>
      <Tabs.Content value="sources" className={PANEL}>
        <Suspense fallback={<Skeleton className="my-7 h-40 w-full" />}>
          <SourcesTab />
        </Suspense>
      </Tabs.Content>
    </Tabs.Root>
  );
}
