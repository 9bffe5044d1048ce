/** Shared by all fields of a form: the settings, a function to change them, and their restrictions. */
import { createContext, use } from "react";
import { useTranslation } from "react-i18next";
import type { Capabilities } from "@/api/capabilities";
import { type BrokenRule, useViolationText } from "@/hooks/use-violation-text";
import { available, type Feature } from "@/rules";
import type { Settings } from "./settings";
import { fieldOf } from "./table";

/** Skipped if no engine supports it: the text is made anyway. */
export type Extra = "vocabulary" | "translate" | "diarization";

/** An analysis after recognition: without an engine, it is held until there is a language model. */
export type Later = Exclude<Feature, "transcription" | "timestamps" | "diarization">;

/** Something that the engines of a server may not be able to do yet; only recognition by channel is refused then. */
export type Ability = Later | "multichannel" | Extra;

/** What a feature needs of the server; every recognition has the text and its times. */
export const abilityOf = (feature: Feature | null): Ability | null =>
  feature === "transcription" || feature === "timestamps" ? null : feature;

export const isExtra = (ability: Ability): ability is Extra =>
  ability === "vocabulary" || ability === "translate" || ability === "diarization";

export const isLater = (ability: Ability): ability is Later => ability !== "multichannel" && !isExtra(ability);

export interface Fields {
  settings: Settings;
  change: (part: Partial<Settings>) => void;
  /** With all that a mode takes with it. */
  chooseMode: (mode: Settings["transcription_type"]) => void;
  /** Of the field or of a part of it; undefined where nothing is wrong. */
  errorOf: (field: keyof Settings) => string | undefined;
  /** Positions of the entries of a list that break a rule. */
  brokenEntries: (field: keyof Settings) => ReadonlySet<number>;
  /** Why the feature cannot be had in this mode and language; null where it can. */
  obstacle: (feature: Feature) => string | null;
  /** Whether the server is known to have nothing yet that does it. */
  lacks: (ability: Ability) => boolean;
  /** Whether the reader's plan is known not to have what the setting needs. */
  notInPlan: (field: keyof Settings) => boolean;
  /** The host that gets the text for what an endpoint makes of it; null where none is configured. */
  textGoesTo: string | null;
  /** Of the recording, in seconds; null while it is not known. */
  duration: number | null;
}

export const FieldsContext = createContext<Fields | null>(null);

export function useFields(): Fields {
  const fields = use(FieldsContext);
  if (!fields) throw new Error("A settings field stands outside of SettingsForm");
  return fields;
}

/** The texts of the broken rules by their fields. */
export function useFieldErrors(violations: readonly BrokenRule[]): Pick<Fields, "errorOf" | "brokenEntries"> {
  const violationText = useViolationText();
  return {
    errorOf: (field) => {
      const found = violations.find((violation) => fieldOf(violation.field) === field);
      return found && violationText(found);
    },
    brokenEntries: (field) =>
      new Set(
        violations
          .filter((violation) => violation.field.startsWith(`${field}.`))
          .map((violation) => Number(violation.field.slice(field.length + 1))),
      ),
  };
}

/** Why a feature cannot be had, in the words of the rules. */
export function useObstacle({ transcription_type, language_code }: Settings): Fields["obstacle"] {
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

export function lackOf(capabilities: Capabilities | undefined): Fields["lacks"] {
  if (!capabilities) return () => false;
  const { features, vocabulary, translate, multichannel } = capabilities;
  const can: Record<Ability, boolean | undefined> = { ...features, vocabulary, translate, multichannel };
  // What an older server does not name is not spoken of.
  return (ability) => can[ability] === false;
}
