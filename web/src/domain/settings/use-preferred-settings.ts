/** The settings with which a new transcription begins for its owner. */
import { useQuery } from "@tanstack/react-query";
import type { TranscriptionSettings } from "@/api";
import { preferencesQuery } from "@/api/account";
import { capabilitiesQuery } from "@/api/capabilities";
import { withDefaultLanguages } from "./settings-draft";

interface PreferredSettings {
  /** Whether they are still awaited; they are not retried, because a page works without them. */
  unsure: boolean;
  preferred: TranscriptionSettings | undefined;
}

export function usePreferredSettings(enabled = true): PreferredSettings {
  const preferences = useQuery({ ...preferencesQuery(), enabled });
  const capabilities = useQuery({ ...capabilitiesQuery(), enabled });
  return {
    unsure: [preferences, capabilities].some(({ isLoading, failureCount }) => isLoading && failureCount === 0),
    preferred: withDefaultLanguages(preferences.data?.settings, capabilities.data),
  };
}
