import { expect, it } from "vitest";
import { describeDevice } from "./device";

const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";
const APPLE = "AppleWebKit/605.1.15 (KHTML, like Gecko)";
const WINDOWS = "Windows NT 10.0; Win64; x64";
const MAC = "Macintosh; Intel Mac OS X 10_15_7";
const IPHONE = "iPhone; CPU iPhone OS 18_5 like Mac OS X";
const IPAD = "iPad; CPU OS 18_5 like Mac OS X";

it.each([
  [`Mozilla/5.0 (${WINDOWS}) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`, "Chrome", "Windows", "desktop"],
  [`Mozilla/5.0 (${MAC}) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`, "Chrome", "macOS", "desktop"],
  [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36`, "Chrome", "Linux", "desktop"],
  [`Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/142.0.0.0 Mobile Safari/537.36`, "Chrome", "Android", "mobile"],
  [`Mozilla/5.0 (${IPHONE}) ${APPLE} CriOS/142.0.7444.46 Mobile/15E148 Safari/604.1`, "Chrome", "iOS", "mobile"],
  [`Mozilla/5.0 (${WINDOWS}; rv:145.0) Gecko/20100101 Firefox/145.0`, "Firefox", "Windows", "desktop"],
  ["Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox", "macOS", "desktop"],
  ["Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox", "Linux", "desktop"],
  ["Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0", "Firefox", "Android", "mobile"],
  [`Mozilla/5.0 (${IPHONE}) ${APPLE} FxiOS/145.0 Mobile/15E148 Safari/605.1.15`, "Firefox", "iOS", "mobile"],
  [`Mozilla/5.0 (${MAC}) ${APPLE} Version/18.5 Safari/605.1.15`, "Safari", "macOS", "desktop"],
  [`Mozilla/5.0 (${IPHONE}) ${APPLE} Version/18.5 Mobile/15E148 Safari/604.1`, "Safari", "iOS", "mobile"],
  [`Mozilla/5.0 (${IPAD}) ${APPLE} Version/18.5 Mobile/15E148 Safari/604.1`, "Safari", "iOS", "tablet"],
  [`Mozilla/5.0 (${WINDOWS}) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`, "Edge", "Windows", "desktop"],
  [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0`, "Edge", "Linux", "desktop"],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/142.0.0.0 Mobile Safari/537.36 EdgA/142.0.0.0`,
    "Edge",
    "Android",
    "mobile",
  ],
  ["curl/8.5.0", "curl", null, "other"],
  ["python-requests/2.32.3", "python-requests", null, "other"],
] as const)("reads %s", (userAgent, program, system, kind) => {
  expect(describeDevice(userAgent)).toEqual({ program, system, kind });
});

it.each([
  ["nothing", null],
  ["an empty line", ""],
  ["blanks", "   "],
  ["a word", "x"],
  ["an unnamed browser", "Mozilla/5.0"],
  ["markup", "<script>alert(1)</script>/1.0"],
  ["control characters", "\u0000\u202e/1/2/(((("],
  ["a very long line", "a".repeat(100_000)],
])("finds nothing in %s, without an error", (_, userAgent) => {
  expect(describeDevice(userAgent)).toEqual({ program: null, system: null, kind: "other" });
});
