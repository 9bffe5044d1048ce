/** Where a recording comes from, as the address of the page holds it. */
import type { Source } from "@/rules";
import { SOURCES } from "@/rules/constants";

/** What is none of them counts as the first one: the address can hold anything. */
export const parseSource = (params: URLSearchParams): Source =>
  SOURCES.find((source) => source === params.get("source")) ?? "file";
