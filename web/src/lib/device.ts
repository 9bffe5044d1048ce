/** Parses user agents into readable names. Only this module imports the parser library. */
import Bowser from "bowser";

export interface Device {
  /** `Firefox`, or the first name of what is no browser, such as `curl`; null where nothing can be told. */
  program: string | null;
  /** `Windows`, `Android`; null where it is not said. */
  system: string | null;
  kind: "desktop" | "mobile" | "tablet" | "other";
}

const UNKNOWN: Device = { program: null, system: null, kind: "other" };
/** Real programs do not send longer ones. */
const MAX_LENGTH = 512;
/** `curl/8.5.0`, and nothing that only looks like it. */
const PRODUCT = /^(?!Mozilla\/)([A-Za-z][\w.-]{0,31})\/\d/;
/** The library's name is the maker's, too; people say the short one. */
const SHORT: Record<string, string> = { "Microsoft Edge": "Edge", "Samsung Internet for Android": "Samsung Internet" };

export function describeDevice(userAgent: string | null): Device {
  const text = userAgent?.trim().slice(0, MAX_LENGTH);
  if (!text) return UNKNOWN;
  const { browser, os, platform } = Bowser.parse(text);
  const program = browser.name || PRODUCT.exec(text)?.[1] || null;
  return { program: program && (SHORT[program] ?? program), system: os.name || null, kind: kindOf(platform.type) };
}

function kindOf(type: string | undefined): Device["kind"] {
  return type === "desktop" || type === "mobile" || type === "tablet" ? type : "other";
}
