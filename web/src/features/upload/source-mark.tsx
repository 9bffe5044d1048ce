/** The source of a recording as an icon; its name is beside it. */
import { AudioLines, FileAudio, Globe, Mic } from "lucide-react";
import type { UrlProbe } from "@/api";
import { cx } from "@/lib/class-names";

interface SourceMarkProps {
  of: UrlProbe["kind"] | "upload" | "voice";
  className?: string;
}

export function SourceMark({ of, className }: SourceMarkProps) {
  const size = cx("size-5 shrink-0", className);
  switch (of) {
    case "upload":
      return <FileAudio aria-hidden="true" strokeWidth={1.5} className={size} />;
    case "voice":
      return <Mic aria-hidden="true" strokeWidth={1.5} className={size} />;
    case "file":
      return <AudioLines aria-hidden="true" strokeWidth={1.5} className={size} />;
    case "page":
      return <Globe aria-hidden="true" strokeWidth={1.5} className={size} />;
    case "youtube":
      return (
        <svg viewBox="0 0 24 24" aria-hidden="true" className={size}>
          <rect x="1.5" y="5" width="21" height="14" rx="4" fill="currentColor" />
          <path d="M10 8.75v6.5L15.5 12z" fill="var(--paper-raised)" />
        </svg>
      );
  }
}
