/** The draft of the public pages' data until it is saved. */
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import { type SiteSettings, type SiteView, usePreviewSite, useSaveSite } from "@/api/admin-site";
import { useErrorText } from "@/hooks/use-error-text";
import { useInvalidFocus } from "@/hooks/use-invalid-focus";
import { type BrokenRule, useViolationText } from "@/hooks/use-violation-text";
import { toast } from "@/lib/toast";

/** Fields with one value, and fields with a value per language. */
export type LineField = "server_name" | "email" | "phone";
export type WordsField = "purpose" | "legal_name" | "address" | "hours" | "hosting" | "imprint";

export function useSiteForm({ settings: stored }: SiteView) {
  const { t } = useTranslation(["admin-config", "admin-site"]);
  const violationText = useViolationText();
  const errorText = useErrorText();
  const save = useSaveSite();
  const preview = usePreviewSite();
  const { form: element, refused } = useInvalidFocus();
  const [draft, setDraft] = useState<SiteSettings | null>(null);
  const [broken, setBroken] = useState<readonly BrokenRule[]>([]);
  const [failure, setFailure] = useState<string | null>(null);
  const values = draft ?? stored;
  const dirty = draft !== null && JSON.stringify(draft) !== JSON.stringify(stored);

  const revert = () => {
    setDraft(null);
    setBroken([]);
    setFailure(null);
    preview.reset();
  };

  /** Violations reported by the server are shown at their fields, other errors above the buttons. */
  const reportError = (error: unknown, what: string) => {
    const violations = error instanceof ApiError ? error.violations : [];
    setBroken(violations);
    if (violations.length > 0) refused();
    else setFailure(`${what}. ${errorText(error)}`);
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!dirty || save.isPending) return;
    setFailure(null);
    try {
      await save.mutateAsync(values);
      revert();
      toast.success(t("saved"));
    } catch (error) {
      reportError(error, t("save_failed"));
    }
  };

  const show = async () => {
    setFailure(null);
    setBroken([]);
    try {
      await preview.mutateAsync(values);
    } catch (error) {
      reportError(error, t("admin-site:preview.failed"));
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
    /** Creates a preview link for the draft. */
    show,
    showing: preview.isPending,
    link: preview.data?.path,
    change: (change: Partial<SiteSettings>) => {
      setDraft({ ...values, ...change });
      // A preview link shows the draft as it was when the link was created.
      preview.reset();
      const fields = Object.keys(change);
      setBroken((rules) => rules.filter((rule) => !fields.some((name) => rule.field.split(".")[0] === name)));
    },
    /** The error of a field, by its path. */
    errorOf: (path: string) => {
      const rule = broken.find((brokenRule) => brokenRule.field === path);
      return rule && violationText(rule);
    },
  };
}

export type SiteForm = ReturnType<typeof useSiteForm>;
