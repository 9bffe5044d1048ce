import { describe, expect, it } from "vitest";
import { mergeTexts } from "./merge-texts";

describe("two texts of one segment", () => {
  it.each<[string, string, string, string, string]>([
    [
      "changes of neighbouring words",
      "Ми їдемо до Львова завтра.",
      "Ми їдемо до Одеси завтра.",
      "Ми їдемо до Львова у вівторок.",
      "Ми їдемо до Одеси у вівторок.",
    ],
    ["only mine changed", "раз два", "раз три", "раз два", "раз три"],
    ["only theirs changed", "раз два", "раз два", "нуль раз два", "нуль раз два"],
    ["equal changes", "він піде", "він пішов", "він пішов", "він пішов"],
    ["changes of the same word", "він піде додому", "він пішов додому", "він поїхав додому", "він пішов поїхав додому"],
    ["changes with the same beginning", "а ось", "а зараз тут ось", "а зараз там ось", "а зараз тут там ось"],
    ["insertions at the same place", "раз три", "раз два три", "раз півтора три", "раз два півтора три"],
    ["equal insertions at the same place", "раз три", "раз два три", "раз два три", "раз два три"],
    ["insertions before the text", "далі", "ну далі", "так далі", "ну так далі"],
    ["insertions after the text", "раз два", "раз два.", "раз два три", "раз два. три"],
    ["theirs removed a word that mine changed", "дуже гарний день", "гарний день", "вельми гарний день", "вельми гарний день"],
    ["mine removed a word that theirs changed", "дуже гарний день", "вельми гарний день", "гарний день", "вельми гарний день"],
    ["equal removals", "е-е раз два", "раз два", "раз два", "раз два"],
    ["overlapping changes", "один два три чотири", "один 2 3 чотири", "один два III IV", "один 2 3 III IV"],
    ["one removed more than the other changed", "ну от так і було там", "було там", "ну от саме так і було там", "саме було там"],
    ["punctuation is separate from words", "так сказав він", "так, сказав він", "так сказав він.", "так, сказав він."],
    ["no common base", "", "раз два", "раз три", "раз два три"],
    ["one removed everything", "раз", "", "раз два", "два"],
  ])("%s", (_, base, local, remote, both) => {
    expect(mergeTexts(base, local, remote)).toBe(both);
  });

  it("does not split words at apostrophes, and ignores the kind of apostrophe", () => {
    expect(mergeTexts("п'ять слів", "п’ять слів", "пʼять слів")).toBe("п’ять слів");
    expect(mergeTexts("має п’ять яблук", "має дев’ять яблук", "має п’ять обов’язків")).toBe("має дев’ять обов’язків");
    expect(mergeTexts("пять яблук", "п’ять яблук", "пять м’ячів")).toBe("п’ять м’ячів");
  });

  it("is fast enough for the longest lines", () => {
    const words = Array.from({ length: 3_000 }, (_, at) => `слово${at % 50}`);
    const both = mergeTexts(words.join(" "), `${words.join(" ")} кінець`, `початок ${words.join(" ")}`);
    expect(both.startsWith("початок слово0")).toBe(true);
    expect(both.endsWith("кінець")).toBe(true);
  });
});
