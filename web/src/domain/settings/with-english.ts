import { translationList, translationTargets } from "@/rules";

/** A list of target languages with English, in the order of the rules. */
export function withEnglish(list: string): string {
  const chosen = translationList(list);
  return translationTargets()
    .filter((target) => target === "english" || chosen.includes(target))
    .join(", ");
}
