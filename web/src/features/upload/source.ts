/** The source of a recording, as stored in the page's URL. */
import type { Source } from "@/rules";
import { SOURCES } from "@/rules/constants";

/** Unknown values count as the first one: the URL can hold anything. */
export const parseSource = (params: URLSearchParams): Source =>
  SOURCES.find((source) => source === params.get("source")) ?? "file";
