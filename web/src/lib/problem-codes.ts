/** Which codes have a text in the locale files. */
import i18next from "i18next";
import type problems from "@/locales/uk/problems.json";

type Group = "codes" | "job" | "damage" | "warnings" | "sources" | "reasons" | "stretch";

/** Narrows a server's code to a key, if this version of the page has a text for it. */
export function hasProblemText<G extends Group>(group: G, code: string): code is keyof (typeof problems)[G] & string {
  return i18next.exists(`problems:${group}.${code}`);
}
