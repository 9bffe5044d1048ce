/** /admin/sign-ins: who has got in, with what: sign-ins, and API keys. */
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { Skeleton } from "@/components/skeleton";
import { TabList, TabPanel, Tabs } from "@/components/tabs";
import { useTabInUrl } from "@/lib/history";
import { withTexts } from "@/lib/i18n";
import { lazyPart } from "@/lib/part";
import { PAGE_TABS } from "../page-tabs";
import { SignInsTab } from "./sign-ins-tab";

const KeysTab = lazyPart(async () => (await withTexts(import("../api-keys"), "api-keys")).KeysTab);

const TABS = ["sign-ins", "api-keys"] as const;
const PANEL = "hidden flex-col gap-4 pt-4 outline-offset-4 data-open:flex";

const parseTab = (params: URLSearchParams) => TABS.find((name) => name === params.get("tab")) ?? "sign-ins";

export function SignInsPage() {
  const { t } = useTranslation("admin-sign-ins");
  // Each tab has filters of its own.
  const [tab, open] = useTabInUrl(parseTab, (next) => (next === "sign-ins" ? {} : { tab: next }));
  return (
    <div
      data-density="compact"
      className="mx-auto flex w-full max-w-6xl flex-1 flex-col px-4 py-4 text-[0.9375rem] md:px-8 md:py-6"
    >
      <Tabs value={tab} onValueChange={open}>
        <TabList label={t("tabs.label")} tabs={TABS.map((value) => ({ value, label: t(`tabs.${value}`) }))} {...PAGE_TABS} />
        <TabPanel value="sign-ins" className={PANEL}>
          <SignInsTab />
        </TabPanel>
        <TabPanel value="api-keys" className={PANEL}>
          <Suspense fallback={<Skeleton className="h-40 w-full" />}>
            <KeysTab />
          </Suspense>
        </TabPanel>
      </Tabs>
    </div>
  );
}
