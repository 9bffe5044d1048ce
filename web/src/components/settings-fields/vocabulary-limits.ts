import { defaultSettings, validateOptions } from "@/rules";

/** Most terms of a vocabulary. The rules name it only where it is exceeded, so they are asked about one that is. */
export function maxVocabularyTerms(): number | null {
  const far = Array.from({ length: 2_000 }, () => "a").join(",");
  const broken = validateOptions({ ...defaultSettings(), custom_vocabulary: far });
  const max = broken.find(({ code }) => code === "too_many")?.params.max;
  return typeof max === "number" ? max : null;
}
