/** The account's targets: add, list, write now, pause, change, delete. */
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { targetsQuery } from "@/api/targets";
import { Skeleton } from "@/components/skeleton";
import { ErrorState } from "@/components/state-panel";
import { Section } from "../section";
import { Targets } from "./targets";

export function TargetsSection() {
  const { t } = useTranslation("targets");
  const heading = useRef<HTMLHeadingElement>(null);
  const { data, error, refetch } = useQuery(targetsQuery());
  return (
    <Section title={t("title")} text={<About />} headingRef={heading}>
      {data ? (
        <Targets list={data} onGone={() => heading.current?.focus()} />
      ) : error ? (
        <ErrorState className="py-4" title={t("load_failed")} error={error} onRetry={() => void refetch()} />
      ) : (
        <div aria-busy="true" className="flex flex-col gap-2 border-y border-rule py-3.5">
          <Skeleton className="h-5 w-2/5" />
          <Skeleton className="h-4 w-3/5" />
          <Skeleton className="h-8 w-4/5" />
        </div>
      )}
    </Section>
  );
}

function About() {
  const { t } = useTranslation("targets");
  return (
    <>
      {t("text")}
      <span className="mt-1.5 block">{t("limit")}</span>
    </>
  );
}
