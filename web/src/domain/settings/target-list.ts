/** Lists of target languages, as a setting has them. */
import { translationList, translationTargets } from "@/rules";

/** In the order of the rules, not of the choice. */
export const targetList = (chosen: readonly string[]): string =>
  translationTargets()
    .filter((target) => chosen.includes(target))
    .join(", ");

/** A list with English. */
export const withEnglish = (list: string): string => targetList([...translationList(list), "english"]);
