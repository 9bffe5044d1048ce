/** Figures in texts, as the page fills them in: `{{limits.links}}`, `{{limits.least_span, number}}`. */
import { TEXT_LIMITS } from "../src/rules/constants";

/** A text of the Ukrainian locale files with its figures; one that is unknown stays as it is, so that the test fails. */
export const withFigures = (text: string): string =>
  text.replace(/\{\{limits\.(\w+)(?:, number)?\}\}/g, (all, name: string) => {
    const value: unknown = Reflect.get(TEXT_LIMITS, name);
    if (typeof value === "number") {
      return value.toLocaleString("uk");
    }
    return typeof value === "string" ? value : all;
  });
