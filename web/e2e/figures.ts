/** Inserts limits into texts like the page: `{{limits.links}}`, `{{limits.min_cue_seconds, number}}`. */
import { TEXT_LIMITS } from "../src/rules/constants";

/** A Ukrainian text with its limits; unknown placeholders stay, so that the test fails. */
export const withFigures = (text: string): string =>
  text.replace(/\{\{limits\.(\w+)(?:, number)?\}\}/g, (all, name: string) => {
    const value: unknown = Reflect.get(TEXT_LIMITS, name);
    if (typeof value === "number") {
      return value.toLocaleString("uk");
    }
    return typeof value === "string" ? value : all;
  });
