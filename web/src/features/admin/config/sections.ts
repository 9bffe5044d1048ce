/** Sections of the configuration, as the address holds them: `?section=mail`, with a field after `#`. */
import type { Setup, Step } from "@/api/admin-setup";

export const CONFIG_PATH = "/admin/config";

export const SECTIONS = ["setup", "mail", "models", "analysis", "address", "site", "settings", "webhooks", "nocodb"] as const;
export type Section = (typeof SECTIONS)[number];

const known = (name: string | null): Section | undefined => SECTIONS.find((section) => section === name);

/**
 * What is no section counts as the first one: the address can hold anything. Once all sections were one page, with their
 * names after `#`: such links still lead there.
 */
export const sectionOf = ({ search, hash }: { search: string; hash: string }): Section =>
  known(new URLSearchParams(search).get("section")) ?? known(hash.slice(1)) ?? "setup";

/** The address of a section, and of a field in it (see `FieldAnchor`). */
export const sectionLink = (section: Section, field?: string): string =>
  `${CONFIG_PATH}?section=${section}${field ? `#${field}` : ""}`;

/** Where a step of the setup is done: the very field. */
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
