/** /admin/messages: data from the forms of the public pages. */
import { useTranslation } from "react-i18next";
import { TabList, TabPanel, Tabs } from "@/components/tabs";
import { useTabInUrl } from "@/lib/history";
import { PAGE_TABS } from "../page-tabs";
import { ContactTab } from "./contact-tab";
import { NewsletterTab } from "./newsletter-tab";
import { VisitsTab } from "./visits-tab";

const TABS = ["contact", "newsletter", "visits"] as const;

const parseTab = (params: URLSearchParams) => TABS.find((name) => name === params.get("tab")) ?? "contact";

export function MessagesPage() {
  const { t } = useTranslation("admin-messages");
  const [tab, open] = useTabInUrl(parseTab, (next) => (next === "contact" ? {} : { tab: next }));
  return (
    <div
      data-density="compact"
      className="mx-auto flex w-full max-w-6xl flex-1 flex-col px-4 py-4 text-[0.9375rem] md:px-8 md:py-6"
    >
      <Tabs value={tab} onValueChange={open}>
        <TabList label={t("tabs.label")} tabs={TABS.map((value) => ({ value, label: t(`tabs.${value}`) }))} {...PAGE_TABS} />
        <TabPanel value="contact" className="hidden pt-4 outline-offset-4 data-open:block">
          <ContactTab />
        </TabPanel>
        <TabPanel value="newsletter" className="hidden pt-4 outline-offset-4 data-open:block">
          <NewsletterTab />
        </TabPanel>
        <TabPanel value="visits" className="hidden pt-4 outline-offset-4 data-open:block">
          <VisitsTab />
        </TabPanel>
      </Tabs>
    </div>
  );
}
