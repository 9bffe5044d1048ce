/** All languages of a mode in one list, for a select. */
import type { TranscriptionType } from "@/api";
import { useLanguageOptions } from "./language-options";

export function LanguageOptionList({ mode }: { mode: TranscriptionType }) {
  const { often, rest } = useLanguageOptions(mode);
  return [...often, ...rest].map(({ code, name }) => (
    <option key={code} value={code}>
      {name}
    </option>
  ));
}
