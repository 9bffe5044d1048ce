/** The shell's sections, and the header's title by path. */
import { FileText, type LucideIcon, ScrollText } from "lucide-react";
import { matchPath } from "react-router";
import { PATHS } from "../paths";

interface Section {
  to: string;
  label: "dashboard" | "transcriptions";
  icon: LucideIcon;
  /** Other addresses that belong to the section. */
  also?: string;
}

export const SECTIONS: readonly Section[] = [
  { to: PATHS.dashboard, label: "dashboard", icon: ScrollText },
  { to: PATHS.transcriptions, label: "transcriptions", icon: FileText, also: PATHS.transcription },
];

export function isActive(section: Section, pathname: string): boolean {
  return pathname === section.to || (section.also !== undefined && matchPath(section.also, pathname) !== null);
}

export type TitleKey = "dashboard" | "upload" | "transcriptions" | "transcription";

/** Null where the path has no title of its own; then the product's name stands. */
export function titleKey(pathname: string): TitleKey | null {
  switch (pathname) {
    case PATHS.dashboard:
      return "dashboard";
    case PATHS.upload:
      return "upload";
    case PATHS.transcriptions:
      return "transcriptions";
    default:
      return pathname.startsWith("/transcription/") ? "transcription" : null;
  }
}
