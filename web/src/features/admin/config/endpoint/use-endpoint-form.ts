/** The draft of an endpoint: address, model and key, and whatever else its card asks for. */
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import { useErrorText } from "@/hooks/use-error-text";
import { useInvalidFocus } from "@/hooks/use-invalid-focus";
import { type BrokenRule, useViolationText } from "@/hooks/use-violation-text";
import { toast } from "@/lib/toast";

export interface EndpointDraft {
  url: string;
  model: string;
  /** As typed; empty keeps the existing key. */
  key: string;
  removesKey: boolean;
}

/** The key of a stored endpoint is never shown. */
export const NO_KEY: Pick<EndpointDraft, "key" | "removesKey"> = { key: "", removesKey: false };

interface EndpointFormOptions<Draft, Body> {
  stored: Draft;
  /** The request; the key is added. */
  bodyOf: (draft: Draft) => Body;
  save: { isPending: boolean; mutateAsync: (body: Body & { key?: string }) => Promise<unknown> };
  onSaved: () => void;
}

export function useEndpointForm<Draft extends EndpointDraft, Body>(options: EndpointFormOptions<Draft, Body>) {
  const { stored, bodyOf, save, onSaved } = options;
  const { t } = useTranslation("admin-config");
  const violationText = useViolationText();
  const errorText = useErrorText();
  const { form: element, refused } = useInvalidFocus();
  // Null until something is typed: then the server's values are shown and follow its changes.
  const [typed, setTyped] = useState<Draft | null>(null);
  const [broken, setBroken] = useState<readonly BrokenRule[]>([]);
  const [failure, setFailure] = useState<string | null>(null);
  const values = typed ?? stored;
  const dirty = typed !== null && JSON.stringify(typed) !== JSON.stringify(stored);

  const revert = () => {
    setTyped(null);
    setBroken([]);
    setFailure(null);
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!dirty || save.isPending) return;
    setFailure(null);
    const { key, removesKey } = values;
    try {
      await save.mutateAsync({ ...bodyOf(values), ...((key !== "" || removesKey) && { key: removesKey ? "" : key }) });
      revert();
      onSaved();
      toast.success(t("saved"));
    } catch (error) {
      const violations = error instanceof ApiError ? error.violations : [];
      setBroken(violations);
      if (violations.length > 0) refused();
      else setFailure(`${t("save_failed")}. ${errorText(error)}`);
    }
  };

  return {
    element,
    values,
    dirty,
    saving: save.isPending,
    failure,
    revert,
    submit,
    change: (part: Partial<Draft>) => {
      setTyped({ ...values, ...part });
      setBroken((before) => before.filter(({ field }) => !(fieldOf(field) in part)));
    },
    /** The error of a field, or of the first invalid entry of a list. */
    errorOf: (field: keyof Draft & string) => {
      const rule = broken.find((brokenRule) => fieldOf(brokenRule.field) === field);
      return rule && violationText(rule);
    },
    /** Indices of the invalid entries of a list. */
    brokenIn: (field: keyof Draft & string): ReadonlySet<number> =>
      new Set(broken.filter((rule) => rule.field.startsWith(`${field}.`)).map((rule) => Number(rule.field.split(".")[1]))),
  };
}

/** `languages` for `languages.2`. */
const fieldOf = (path: string): string => path.split(".")[0] ?? path;
