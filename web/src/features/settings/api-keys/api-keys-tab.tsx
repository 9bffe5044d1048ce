/** The account's API keys: create, list, revoke. */
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import type { User } from "@/api/account";
import { apiKeysQuery } from "@/api/api-keys";
import { Skeleton } from "@/components/skeleton";
import { ErrorState } from "@/components/state-panel";
import { Section } from "../section";
import { Keys } from "./keys";

const SKELETONS = ["a", "b"];

export function ApiKeysTab({ user }: { user: User }) {
  const { t } = useTranslation("api-keys");
  const heading = useRef<HTMLHeadingElement>(null);
  const { data, error, refetch } = useQuery(apiKeysQuery());
  return (
    <Section title={t("title")} text={<About />} headingRef={heading}>
      {data ? (
        <Keys user={user} keys={data.keys} isInPlan={data.in_plan} onGone={() => heading.current?.focus()} />
      ) : error ? (
        <ErrorState className="py-4" title={t("load_failed")} error={error} onRetry={() => void refetch()} />
      ) : (
        <ul aria-label={t("title")} aria-busy="true" className="border-t border-rule">
          {SKELETONS.map((key) => (
            <li key={key} className="flex flex-col gap-2 border-b border-rule py-3.5">
              <Skeleton className="h-5 w-2/5" />
              <Skeleton className="h-4 w-3/5" />
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

function About() {
  const { t } = useTranslation("api-keys");
  return (
    <>
      {t("text")} {/* A page of the server, not of the application. */}
      <a href="/docs/api" className="text-accent underline underline-offset-4 hover:text-accent-strong">
        {t("docs")}
      </a>
    </>
  );
}
