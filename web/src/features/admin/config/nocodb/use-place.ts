/** The form's values, on top of the stored ones. */
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import { type NocodbPlace, type NocodbState, useConfigureNocodb } from "@/api/nocodb";
import { useErrorText } from "@/hooks/use-error-text";
import { useInvalidFocus } from "@/hooks/use-invalid-focus";
import type { BrokenRule } from "@/hooks/use-violation-text";
import { toast } from "@/lib/toast";

const NOTHING: NocodbPlace = { api_url: "", project_id: "" };

export function usePlace(state: NocodbState) {
  const { t } = useTranslation("admin-nocodb");
  const errorText = useErrorText();
  const configure = useConfigureNocodb();
  const { form: element, refused } = useInvalidFocus();
  const stored: NocodbPlace = state.config ? { api_url: state.config.api_url, project_id: state.config.project_id } : NOTHING;
  // Only changed values are kept: somebody else may change the stored ones meanwhile.
  const [draft, setDraft] = useState<Partial<NocodbPlace>>({});
  const [broken, setBroken] = useState<readonly BrokenRule[]>([]);
  const [failure, setFailure] = useState<string | null>(null);
  const form: NocodbPlace = { ...stored, ...draft };
  const dirty = form.api_url !== stored.api_url || form.project_id !== stored.project_id;

  const edit = (field: keyof NocodbPlace, value: string) => {
    setDraft({ ...draft, [field]: value });
    setBroken(broken.filter((rule) => rule.field !== field));
    setFailure(null);
  };
  const discard = () => {
    setDraft({});
    setBroken([]);
    setFailure(null);
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (!dirty || configure.isPending) return;
    setFailure(null);
    try {
      await configure.mutateAsync(form);
      discard();
      toast.success(t("saved"));
    } catch (error) {
      const violations = error instanceof ApiError ? error.violations : [];
      setBroken(violations);
      if (violations.length > 0) refused();
      else setFailure(`${t("save_failed")}. ${errorText(error)}`);
    }
  };
  return { element, form, dirty, broken, failure, saving: configure.isPending, edit, discard, save };
}

export type Place = ReturnType<typeof usePlace>;
