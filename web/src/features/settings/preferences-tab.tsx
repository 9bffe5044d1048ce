/** The user's preferences, and actions on all of their data. */
import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { useTranslation } from "react-i18next";
import { preferencesQuery, type User } from "@/api/account";
import { Skeleton } from "@/components/skeleton";
import { ErrorState } from "@/components/state-panel";
import { DeleteAccount } from "./delete-account";
import { DocxTemplateSection } from "./docx-template";
import { ExportData } from "./export-data";
import { PreferencesForm } from "./preferences-form";
import { Section } from "./section";
import { VoicesSection } from "./voices/voices-section";

const SKELETONS = ["interface", "mail", "defaults"] as const;

export function PreferencesTab({ user }: { user: User }) {
  const { t } = useTranslation("settings");
  const { data, error, refetch } = useQuery(preferencesQuery());
  return (
    <>
      {data ? (
        <PreferencesForm saved={data} />
      ) : error ? (
        <ErrorState title={t("preferences.load_failed")} error={error} onRetry={() => void refetch()} />
      ) : (
        <div aria-busy="true">
          {SKELETONS.map((part) => (
            <Section key={part} title={t(`${part}.title`)}>
              <Skeleton className="h-10 w-3/5" />
              <Skeleton className="mt-3 h-5 w-2/5" />
            </Section>
          ))}
        </div>
      )}
      <DocxTemplateSection />
      {/* Its texts are loaded separately; nothing else waits for them. */}
      <Suspense fallback={null}>
        <VoicesSection />
      </Suspense>
      <ExportData />
      <DeleteAccount user={user} />
    </>
  );
}
