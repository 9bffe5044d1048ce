/** The external database: its location, its test, and its synchronisation. */
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { type NocodbState, nocodbQuery } from "@/api/nocodb";
import { CardState, ConfigCard } from "./config-card";
import { Actions } from "./nocodb/actions";
import { Info } from "./nocodb/info";
import { PlaceForm } from "./nocodb/place-form";
import { RunPanel } from "./nocodb/run-panel";
import { StateBadge } from "./nocodb/state-badge";
import { TestPanel } from "./nocodb/test-panel";
import { usePlace } from "./nocodb/use-place";

interface NocodbCardProps {
  /** Called when the form gets or loses unsaved changes. */
  onDirtyChange?: (dirty: boolean) => void;
}

export function NocodbCard({ onDirtyChange }: NocodbCardProps) {
  const { t } = useTranslation("admin-nocodb");
  const { data, error, refetch } = useQuery(nocodbQuery());
  return (
    <ConfigCard title={t("title")} text={t("text")}>
      {data ? (
        <Loaded state={data} onDirtyChange={onDirtyChange} />
      ) : (
        <CardState error={error} onRetry={() => void refetch()} rows={3} />
      )}
    </ConfigCard>
  );
}

interface LoadedProps {
  state: NocodbState;
  onDirtyChange: ((dirty: boolean) => void) | undefined;
}

function Loaded({ state, onDirtyChange }: LoadedProps) {
  const place = usePlace(state);
  const { dirty } = place;
  useEffect(() => {
    onDirtyChange?.(dirty);
  }, [dirty, onDirtyChange]);
  useEffect(() => () => onDirtyChange?.(false), [onDirtyChange]);
  return (
    <div className="grid gap-x-8 gap-y-5 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <div className="flex min-w-0 flex-col gap-5">
        <StateBadge state={state} />
        <PlaceForm place={place} state={state} />
        <Actions state={state} dirty={dirty} />
        {state.last_test && !dirty && <TestPanel test={state.last_test} />}
        <RunPanel />
      </div>
      <Info minutes={state.sync_minutes} />
    </div>
  );
}
