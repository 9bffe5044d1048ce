/** The preset for the next jobs, shown before there is a recording. */
import type { TranscriptionSettings } from "@/api";
import { PresetBadge } from "../configure";
import { useSettingsOfAll } from "../use-settings-of-all";

interface PresetInUseProps {
  owner: string;
  preferred: TranscriptionSettings | undefined;
}

export function PresetInUse({ owner, preferred }: PresetInUseProps) {
  const { inUse } = useSettingsOfAll(owner, preferred);
  return <PresetBadge {...inUse} />;
}
