import { useEffect, useState } from "react";
import type { TranscriptionSettings } from "@/api";
import { type Choice, keepChoice, readChoice } from "@/domain/settings/settings-draft";

/** The owner's choice for the next job, kept with every change. `preferred` is looked at once, at the beginning. */
export function useChoice(owner: string, preferredNow?: TranscriptionSettings): [Choice, (choice: Choice) => void] {
  // Those that the draft began with; another tab may change them meanwhile.
  const [preferred] = useState(preferredNow);
  const [choice, setChoice] = useState(() => readChoice(owner, preferred));
  useEffect(() => keepChoice(owner, choice, preferred), [owner, choice, preferred]);
  return [choice, setChoice];
}
