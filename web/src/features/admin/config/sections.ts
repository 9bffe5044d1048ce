/** Sections of the configuration, in the URL as `?section=mail`, with a field after `#`. */
import type { Setup, Step } from "@/api/admin-setup";

export const CONFIG_PATH = "/admin/config";

export const SECTIONS = [
  "setup",
  "mail",
  "models",
  "speech",
  "analysis",
  "address",
  "site",
  "settings",
  "care",
  "webhooks",
  "nocodb",
] as const;
export type Section = (typeof SECTIONS)[number];

const sectionNamed = (name: string | null): Section | undefined => SECTIONS.find((section) => section === name);

/**
 * An unknown section means the first one. Formerly all sections were one page, with their names after `#`: such links
 * still work.
 */
export const sectionOf = ({ search, hash }: { search: string; hash: string }): Section =>
  sectionNamed(new URLSearchParams(search).get("section")) ?? sectionNamed(hash.slice(1)) ?? "setup";

/** The URL of a section, and of a field in it (see `FieldAnchor`). */
export const sectionLink = (section: Section, field?: string): string =>
  `${CONFIG_PATH}?section=${section}${field ? `#${field}` : ""}`;

/** Link to the field where a setup step is done. */
export function stepLink(step: Step, setup: Setup): string {
  switch (step) {
    case "mail":
      return sectionLink("mail", "test");
    case "models":
      return sectionLink("models", "needed");
    case "analysis":
      return sectionLink("analysis", "url");
    case "address":
      return sectionLink("address", "public_url");
    case "legal":
      return sectionLink("site", setup.legal.missing[0] ?? "legal_name");
  }
}
