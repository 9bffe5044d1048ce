import { useEffect, useEffectEvent, useLayoutEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { TranscriptionSettings } from "@/api";
import { take } from "@/lib/applied-preset";
import { type Choice, keepChoice, readChoice } from "@/lib/settings-draft";
import { toast } from "@/lib/toast";
import { withPreset } from "./preset-choice";

/**
 * The owner's choice for the next job, kept with every change. `preferred` is looked at once, at the beginning. A preset
 * that was applied on its page is applied here, once.
 */
export function useChoice(owner: string, preferredNow?: TranscriptionSettings): [Choice, (choice: Choice) => void] {
  const { t } = useTranslation("configure");
  // Those that the draft began with; another tab may change them meanwhile.
  const [preferred] = useState(preferredNow);
  const [choice, setChoice] = useState(() => readChoice(owner, preferred));

  // Not while it renders: what is taken is gone, and a render may be thrown away.
  const apply = useEffectEvent(() => {
    const preset = take(owner);
    if (!preset) return;
    const next = withPreset(choice, preset);
    if (next) setChoice(next);
    else toast.error(t("presets.applyFailed"));
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the owner is the signal
  useLayoutEffect(() => apply(), [owner]);

  useEffect(() => keepChoice(owner, choice, preferred), [owner, choice, preferred]);
  return [choice, setChoice];
}
