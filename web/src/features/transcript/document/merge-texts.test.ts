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
    ["only mine has changed", "раз два", "раз три", "раз два", "раз три"],
    ["only theirs has changed", "раз два", "раз два", "нуль раз два", "нуль раз два"],
    ["both have changed the same alike", "він піде", "він пішов", "він пішов", "він пішов"],
    ["both have changed the same word", "він піде додому", "він пішов додому", "він поїхав додому", "він пішов поїхав додому"],
    ["both begin their change alike", "а ось", "а зараз тут ось", "а зараз там ось", "а зараз тут там ось"],
    ["both have put in something at one place", "раз три", "раз два три", "раз півтора три", "раз два півтора три"],
    ["both have put in the same at one place", "раз три", "раз два три", "раз два три", "раз два три"],
    ["both have put something before the text", "далі", "ну далі", "так далі", "ну так далі"],
    ["both have put something after the text", "раз два", "раз два.", "раз два три", "раз два. три"],
    [
      "one has taken out what the other has changed",
      "дуже гарний день",
      "гарний день",
      "вельми гарний день",
      "вельми гарний день",
    ],
    ["the other way round", "дуже гарний день", "вельми гарний день", "гарний день", "вельми гарний день"],
    ["both have taken out the same", "е-е раз два", "раз два", "раз два", "раз два"],
    ["overlapping changes", "один два три чотири", "один 2 3 чотири", "один два III IV", "один 2 3 III IV"],
    [
      "one has taken out more than the other has changed",
      "ну от так і було там",
      "було там",
      "ну от саме так і було там",
      "саме було там",
    ],
    ["a sign belongs to no word", "так сказав він", "так, сказав він", "так сказав він.", "так, сказав він."],
    ["nobody knows what they began from", "", "раз два", "раз три", "раз два три"],
    ["one has taken out all", "раз", "", "раз два", "два"],
  ])("%s", (_, base, mine, theirs, both) => {
    expect(mergeTexts(base, mine, theirs)).toBe(both);
  });

  it("keeps a word with an apostrophe whole, and takes two ways of writing it for one", () => {
    expect(mergeTexts("п'ять слів", "п’ять слів", "пʼять слів")).toBe("п’ять слів");
    expect(mergeTexts("має п’ять яблук", "має дев’ять яблук", "має п’ять обов’язків")).toBe("має дев’ять обов’язків");
    expect(mergeTexts("пять яблук", "п’ять яблук", "пять м’ячів")).toBe("п’ять м’ячів");
  });

  it("is in time for the longest lines", () => {
    const words = Array.from({ length: 3_000 }, (_, at) => `слово${at % 50}`);
    const both = mergeTexts(words.join(" "), `${words.join(" ")} кінець`, `початок ${words.join(" ")}`);
    expect(both.startsWith("початок слово0")).toBe(true);
    expect(both.endsWith("кінець")).toBe(true);
  });
});
