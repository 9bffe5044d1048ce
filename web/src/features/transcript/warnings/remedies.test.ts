import { describe, expect, it } from "vitest";
import type { Notice, TranscriptionSettings } from "@/api";
import { defaultSettings } from "@/rules";
import { betterModels, remediesFor } from "./remedies";

const settings = defaultSettings() as TranscriptionSettings;
const notices = (...codes: string[]): Notice[] => codes.map((code) => ({ code, params: {} }));
const labels = (warnings: readonly Notice[], canTranslate = true) =>
  remediesFor(warnings, settings, canTranslate).map(({ label }) => label);

describe("remedies", () => {
  it("are none for warnings that another run does not help", () => {
    expect(labels(notices("damaged_tail", "no_speech", "language_served_poorly"))).toEqual([]);
  });

  it("choose the language, once, where it may be the cause", () => {
    expect(labels(notices("much_unrecognised", "language_uncertain"))).toEqual(["chooseLanguage"]);
  });

  it("recognise in Full what Lite did not understand", () => {
    const remedies = remediesFor(notices("much_unrecognised", "lite_not_english"), settings, true);
    expect(remedies).toEqual([{ label: "againInFull", settings: { transcription_type: "full", language_code: "auto" } }]);
  });

  it("translate the text, if something can translate it", () => {
    const warnings = notices("translation_unsuitable");
    expect(labels(warnings, false)).toEqual([]);
    const [remedy] = remediesFor(warnings, { ...settings, translate: "to_eng", llm_translation: "thai, french" }, true);
    expect(remedy?.settings).toEqual({ translate: "", llm_translation: "english, french, thai" });
  });
});

it("names each better model once", () => {
  const warning = (params: Notice["params"]): Notice => ({ code: "language_served_poorly", params });
  expect(betterModels([warning({ better: "large" }), warning({ better: "large" }), warning({ better: 7 }), warning({})])).toEqual(
    ["large"],
  );
});
