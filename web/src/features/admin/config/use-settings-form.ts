/** The draft of limits, switches and defaults: numbers as typed until they are submitted. */
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "@/api";
import {
  type ServerLimits,
  type ServerSettings,
  type ServerSettingsView,
  type Switches,
  useSaveSettings,
} from "@/api/admin-config";
import { useErrorText } from "@/hooks/use-error-text";
import { useInvalidFocus } from "@/hooks/use-invalid-focus";
import { type BrokenRule, useViolationText } from "@/hooks/use-violation-text";
import { toast } from "@/lib/toast";

const MB = 1024 * 1024;
/** Maximum number of digits; longer numbers would not be exact integers. */
const MAX_DIGITS = 12;

export type LimitField = keyof ServerLimits & string;

interface Draft {
  limits: Record<LimitField, string>;
  switches: Switches;
  /** Languages that may be spoken. */
  languages: readonly string[];
}

/** Shown in megabytes, stored in bytes. */
const unit = (field: LimitField): number => (field === "max_upload_bytes" ? MB : 1);

const fieldText = (field: LimitField, value: number | null | undefined): string =>
  value == null ? "" : String(Math.round((value / unit(field)) * 100) / 100);

const typed = (field: LimitField, text: string): number | null => {
  const figure = Number(text.replace(",", "."));
  return text.trim() === "" || !Number.isFinite(figure) ? null : Math.round(figure * unit(field));
};

const draftOf = ({ limits, switches, defaults }: ServerSettings): Draft => ({
  limits: {
    max_upload_bytes: fieldText("max_upload_bytes", limits.max_upload_bytes),
    waiting_jobs: fieldText("waiting_jobs", limits.waiting_jobs),
    contact_days: fieldText("contact_days", limits.contact_days),
  },
  switches: { ...switches },
  languages: defaults?.languages ?? [],
});

const settingsOf = ({ limits, switches, languages }: Draft): ServerSettings => ({
  limits: {
    max_upload_bytes: typed("max_upload_bytes", limits.max_upload_bytes),
    waiting_jobs: typed("waiting_jobs", limits.waiting_jobs),
    contact_days: typed("contact_days", limits.contact_days),
  },
  switches,
  defaults: { languages: [...languages] },
});

const same = (one: Draft, other: Draft): boolean => JSON.stringify(one) === JSON.stringify(other);

export function useSettingsForm({ settings }: ServerSettingsView) {
  const { t } = useTranslation("admin-config");
  const violationText = useViolationText();
  const errorText = useErrorText();
  const save = useSaveSettings();
  const { form: element, refused } = useInvalidFocus();
  const [draft, setDraft] = useState<Draft | null>(null);
  const [broken, setBroken] = useState<readonly BrokenRule[]>([]);
  const [failure, setFailure] = useState<string | null>(null);
  const stored = draftOf(settings);
  const values = draft ?? stored;
  const dirty = draft !== null && !same(draft, stored);
  const days = typed("contact_days", values.limits.contact_days);
  const before = settings.limits.contact_days ?? Number.POSITIVE_INFINITY;

  const brokenLanguage = broken.find(isOfLanguages);

  const revert = () => {
    setDraft(null);
    setBroken([]);
    setFailure(null);
  };

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!dirty || save.isPending) return;
    setFailure(null);
    try {
      await save.mutateAsync(settingsOf(values));
      revert();
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
    /** Stored messages would be deleted. */
    shortensContacts: days !== null && days < before,
    type: (field: LimitField, text: string) => {
      // Other characters cannot be typed, because the server could only refuse them with an unhelpful message.
      const figures = text.replace(field === "max_upload_bytes" ? /[^\d.,]/g : /\D/g, "").slice(0, MAX_DIGITS);
      setDraft({ ...values, limits: { ...values.limits, [field]: figures } });
      setBroken((rules) => rules.filter((rule) => rule.field !== `limits.${field}`));
    },
    turn: (name: keyof Switches, on: boolean) => setDraft({ ...values, switches: { ...values.switches, [name]: on } }),
    selectLanguages: (languages: readonly string[]) => {
      setDraft({ ...values, languages });
      setBroken((rules) => rules.filter((rule) => !isOfLanguages(rule)));
    },
    languagesError: brokenLanguage && violationText(brokenLanguage),
    errorOf: (field: LimitField) => {
      const rule = broken.find((brokenRule) => brokenRule.field === `limits.${field}`);
      return rule && violationText(inUnits(field, rule));
    },
  };
}

const isOfLanguages = ({ field }: BrokenRule): boolean => field.startsWith("defaults.languages");

/** The limits of a rule in the unit of its field. */
function inUnits(field: LimitField, rule: BrokenRule): BrokenRule {
  const params = Object.entries(rule.params ?? {}).map(([name, value]) => [
    name,
    typeof value === "number" ? Math.floor(value / unit(field)) : value,
  ]);
  return { ...rule, params: Object.fromEntries(params) };
}
