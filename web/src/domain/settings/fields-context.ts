/** Shared by all fields of a form: the settings, a function to change them, and their restrictions. */
import { createContext, use } from "react";
import { useTranslation } from "react-i18next";
import type { Notice } from "@/api";
import type { Capabilities } from "@/api/capabilities";
import { type BrokenRule, useViolationText } from "@/hooks/use-violation-text";
import { available, type Feature } from "@/rules";
import type { Settings } from "./settings";
import { fieldOf } from "./table";

/** Skipped if no engine supports it: the text is made anyway. */
export type OptionalAbility = "vocabulary" | "translate" | "diarization";

/** An analysis after recognition: without an engine, it is held until there is a language model. */
export type AnalysisAbility = Exclude<Feature, "transcription" | "timestamps" | "diarization">;

/**
 * A feature that a server may lack; recognition is refused only for separate channels, everything else is skipped or
 * held.
 */
export type Ability = AnalysisAbility | "multichannel" | OptionalAbility;

/** What a feature needs on the server; null for the text and its times, which every recognition has. */
export const abilityOf = (feature: Feature | null): Ability | null =>
  feature === "transcription" || feature === "timestamps" ? null : feature;

export const isOptionalAbility = (ability: Ability): ability is OptionalAbility =>
  ability === "vocabulary" || ability === "translate" || ability === "diarization";

export const isAnalysisAbility = (ability: Ability): ability is AnalysisAbility =>
  ability !== "multichannel" && !isOptionalAbility(ability);

export interface Fields {
  settings: Settings;
  change: (part: Partial<Settings>) => void;
  /** Also applies the changes of other settings that the mode requires. */
  chooseMode: (mode: Settings["transcription_type"]) => void;
  /** Chooses Full, with the language that Lite has replaced. */
  useFull: () => void;
  /** Warnings about the quality of the text. */
  warnings: readonly Notice[];
  /** The error of the field or a part of it; undefined if it is valid. */
  errorOf: (field: keyof Settings) => string | undefined;
  /** Indices of the invalid entries of a list. */
  brokenEntries: (field: keyof Settings) => ReadonlySet<number>;
  /** Why the feature is unavailable in this mode and language; null if it is available. */
  unavailableReason: (feature: Feature) => string | null;
  /** Whether the server is known to lack the ability. */
  lacks: (ability: Ability) => boolean;
  /** Whether the reader's plan is known not to include what the setting needs. */
  notInPlan: (field: keyof Settings) => boolean;
  /** The host of the analysis endpoint, which gets the text; null if none is configured. */
  textHost: string | null;
  /** What it means if no languages that may be spoken are selected; any language if absent. */
  languagesHint: string | undefined;
  /** Duration of the recording in seconds; null while unknown. */
  duration: number | null;
}

export const FieldsContext = createContext<Fields | null>(null);

export function useFields(): Fields {
  const fields = use(FieldsContext);
  if (!fields) throw new Error("A settings field stands outside of SettingsForm");
  return fields;
}

/** Messages for the violations, by field. */
export function useFieldErrors(violations: readonly BrokenRule[]): Pick<Fields, "errorOf" | "brokenEntries"> {
  const violationText = useViolationText();
  return {
    errorOf: (field) => {
      const brokenRule = violations.find((violation) => fieldOf(violation.field) === field);
      return brokenRule && violationText(brokenRule);
    },
    brokenEntries: (field) =>
      new Set(
        violations
          .filter((violation) => violation.field.startsWith(`${field}.`))
          .map((violation) => Number(violation.field.slice(field.length + 1))),
      ),
  };
}

/** Why a feature is unavailable, in the words of the rules. */
export function useUnavailableReason({ transcription_type, language_code }: Settings): Fields["unavailableReason"] {
  const { t } = useTranslation(["rules", "languages"]);
  return (feature) => {
    const answer = available(feature, transcription_type, language_code);
    if (answer === "available") return null;
    if (answer === "needs_full") return t("rules:violations.unavailable_in_lite");
    const language = t(`languages:${language_code as "uk"}`, { defaultValue: language_code });
    return feature === "diarization"
      ? t("rules:violations.diarization_language_unsupported", { language })
      : t("rules:violations.language_unsupported", { language });
  };
}

export function missingAbilities(capabilities: Capabilities | undefined): Fields["lacks"] {
  if (!capabilities) return () => false;
  const { features, vocabulary, translate, multichannel } = capabilities;
  const can: Record<Ability, boolean | undefined> = { ...features, vocabulary, translate, multichannel };
  // Abilities that an older server does not report are treated as available.
  return (ability) => can[ability] === false;
}
