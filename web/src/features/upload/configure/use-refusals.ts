import { useEffect, useEffectEvent, useState } from "react";
import { ApiError } from "@/api";
import type { Settings } from "@/domain/settings";
import type { BrokenRule } from "@/hooks/use-violation-text";
import { limits } from "@/rules";

interface RefusalsState {
  /** Violations, each kept until its field is corrected. */
  violations: readonly BrokenRule[];
  /** Whether they are also shown as a list, for a few seconds. */
  listed: boolean;
  /** Incremented with every refusal: the form alerts the reader again. */
  refusals: number;
  refuse: (broken: readonly BrokenRule[]) => void;
  /** After a change: violations of changed fields stay only if `broken` still has them; other violations stay, too. */
  recheck: (before: Settings, next: Settings, broken: readonly BrokenRule[]) => void;
}

/** The server names a field by its path in the request body. */
const inForm = (rule: BrokenRule): BrokenRule => ({ ...rule, field: rule.field.replace(/^settings\./, "") });

const rootOf = (path: string) => path.split(".")[0] as keyof Settings;

/** The errors of the settings. `error` is the server's answer, null if there is none. */
export function useRefusals(error: unknown): RefusalsState {
  const [violations, setViolations] = useState<readonly BrokenRule[]>([]);
  const [listed, setListed] = useState(false);
  const [refusals, setRefusals] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal shows its list as long as any other
  useEffect(() => {
    if (!listed) return;
    const timer = setTimeout(() => setListed(false), limits().validation_toast_ms);
    return () => clearTimeout(timer);
  }, [listed, refusals]);

  const refuse = (broken: readonly BrokenRule[]) => {
    setViolations(broken);
    setListed(broken.length > 0);
    setRefusals((before) => before + 1);
  };

  const showError = useEffectEvent((thrown: unknown) => refuse(thrown instanceof ApiError ? thrown.violations.map(inForm) : []));
  useEffect(() => {
    if (error !== null) showError(error);
  }, [error]);

  const recheck = (before: Settings, next: Settings, broken: readonly BrokenRule[]) =>
    setViolations((known) => {
      const named = new Set(known.map(({ field }) => rootOf(field)));
      const changed = (field: string) => before[rootOf(field)] !== next[rootOf(field)];
      // Labels depend on the switch beside them: switching it off corrects their field.
      const requested = next.overall_classification;
      return [
        ...known.filter(({ field, code }) => !changed(field) && (requested || code !== "labels_required")),
        ...broken.filter(({ field }) => changed(field) && named.has(rootOf(field))),
      ];
    });

  return { violations, listed, refusals, refuse, recheck };
}
