import { useEffect, useState } from "react";
import type { TranscriptionSettings } from "@/api";
import { type Choice, readChoice, storeChoice } from "@/domain/settings/settings-draft";

/** The owner's choice for the next job, stored with every change. `preferred` is read once, on mount. */
export function useChoice(owner: string, preferredNow?: TranscriptionSettings): [Choice, (choice: Choice) => void] {
  // The defaults on mount; another tab may change them meanwhile.
  const [preferred] = useState(preferredNow);
  const [choice, setChoice] = useState(() => readChoice(owner, preferred));
  useEffect(() => storeChoice(owner, choice, preferred), [owner, choice, preferred]);
  return [choice, setChoice];
}
