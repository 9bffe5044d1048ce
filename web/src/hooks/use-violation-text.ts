import { useTranslation } from "react-i18next";
import type { Code } from "@/rules";

/** In the format of the API and of the rules module. */
export interface BrokenRule {
  field: string;
  code: string;
  params?: Record<string, unknown>;
}

/** The text of a violation. Every code has one in both languages; the rules' tests check that. */
export function useViolationText(): (rule: BrokenRule) => string {
  const { t } = useTranslation("rules");
  return ({ code, params }) => t(`violations.${code as Code}`, params ?? {});
}
