/** Where recordings come from by themselves, and where texts go. */
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { sourcesQuery } from "@/api/sources";
import { Skeleton } from "@/components/skeleton";
import { ErrorState } from "@/components/state-panel";
import { Section } from "../section";
import { TargetsSection } from "../targets/targets-section";
import { Sources } from "./sources";

const SKELETONS = ["a", "b"];

export function SourcesTab() {
  return (
    <>
      <SourcesSection />
      <TargetsSection />
    </>
  );
}

function SourcesSection() {
  const { t } = useTranslation("sources");
  const heading = useRef<HTMLHeadingElement>(null);
  const { data, error, refetch } = useQuery(sourcesQuery());
  return (
    <Section title={t("title")} text={<About />} headingRef={heading}>
      {data ? (
        <Sources list={data} onGone={() => heading.current?.focus()} />
      ) : error ? (
        <ErrorState className="py-4" title={t("load_failed")} error={error} onRetry={() => void refetch()} />
      ) : (
        <ul aria-label={t("title")} aria-busy="true" className="border-t border-rule">
          {SKELETONS.map((key) => (
            <li key={key} className="flex flex-col gap-2 border-b border-rule py-3.5">
              <Skeleton className="h-5 w-2/5" />
              <Skeleton className="h-4 w-3/5" />
              <Skeleton className="h-8 w-4/5" />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function About() {
  const { t } = useTranslation("sources");
  return (
    <>
      {t("text")}
      <span className="mt-1.5 block">{t("limit")}</span>
    </>
  );
}
