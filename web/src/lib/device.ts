/** Parses user agents into readable names. Only this module imports the parser library. */
import Bowser from "bowser";

export interface Device {
  /** `Firefox`, or the product name of another program, such as `curl`; null if unknown. */
  program: string | null;
  /** `Windows`, `Android`; null if unknown. */
  system: string | null;
  kind: "desktop" | "mobile" | "tablet" | "other";
}

const UNKNOWN: Device = { program: null, system: null, kind: "other" };
/** Longer user agents are ignored: real programs do not send them. */
const MAX_LENGTH = 512;
/** `curl/8.5.0`, but not `Mozilla/5.0`, which all browsers send. */
const PRODUCT = /^(?!Mozilla\/)([A-Za-z][\w.-]{0,31})\/\d/;
/** Shorter names for browsers whose name in the library includes the vendor. */
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
