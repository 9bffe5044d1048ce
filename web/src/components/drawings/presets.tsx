/** No presets: switches that nobody has set, and a place for a card. */
import { Accent, Drawing } from "./drawing";

export function NoPresets({ className }: { className?: string | undefined }) {
  return (
    <Drawing className={className}>
      <rect x="20" y="14" width="92" height="84" rx="6" />
      <path d="M36 36h60M36 56h60M36 76h60" />
      <circle cx="56" cy="36" r="6" fill="var(--paper)" />
      <circle cx="80" cy="56" r="6" fill="var(--paper)" />
      <circle cx="48" cy="76" r="6" fill="var(--paper)" />
      <Accent>
        <path d="M130 22h44a6 6 0 0 1 6 6v56a6 6 0 0 1-6 6h-44" strokeDasharray="5 7" />
        <path d="M152 46v20M142 56h20" />
      </Accent>
    </Drawing>
  );
}
