import { useEffect, useEffectEvent, useState } from "react";
import { ApiError } from "@/api";
import type { Settings } from "@/components/settings-fields";
import type { BrokenRule } from "@/hooks/use-violation-text";
import { limits } from "@/rules";

interface Refusals {
  /** Broken rules, each until its field is mended. */
  violations: readonly BrokenRule[];
  /** They are to be seen as a list, too; for a few seconds. */
  listed: boolean;
  /** Rises with every refusal: the form calls for the reader again. */
  refusals: number;
  refuse: (broken: readonly BrokenRule[]) => void;
  /** After a change: what `broken` still names of the changed fields stays, what was said of the others too. */
  mend: (before: Settings, next: Settings, broken: readonly BrokenRule[]) => void;
}

/** The server names a field as it stands in the request's body. */
const inForm = (rule: BrokenRule): BrokenRule => ({ ...rule, field: rule.field.replace(/^settings\./, "") });

const rootOf = (path: string) => path.split(".")[0] as keyof Settings;

/** What stands against the settings. `error` is what the server has answered, null when nothing. */
export function useRefusals(error: unknown): Refusals {
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

  const mend = (before: Settings, next: Settings, broken: readonly BrokenRule[]) =>
    setViolations((known) => {
      const named = new Set(known.map(({ field }) => rootOf(field)));
      const changed = (field: string) => before[rootOf(field)] !== next[rootOf(field)];
      // Labels are asked for by the switch beside them: turned off, it mends their field.
      const asked = next.overall_classification;
      return [
        ...known.filter(({ field, code }) => !changed(field) && (asked || code !== "labels_required")),
        ...broken.filter(({ field }) => changed(field) && named.has(rootOf(field))),
      ];
    });

  return { violations, listed, refusals, refuse, mend };
}
