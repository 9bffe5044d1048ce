import { Check, CircleDashed, CircleHelp, TriangleAlert } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { NocodbState } from "@/api/nocodb";

const LOOKS = {
  off: { icon: CircleDashed, look: "bg-paper-sunk text-ink-soft" },
  untested: { icon: CircleHelp, look: "bg-note-wash text-note" },
  works: { icon: Check, look: "bg-good-wash text-good" },
  fails: { icon: TriangleAlert, look: "bg-bad-wash text-bad" },
} as const;

export function StateBadge({ state }: { state: NocodbState }) {
  const { t } = useTranslation("admin-nocodb");
  const key = keyOf(state);
  const { icon: Icon, look } = LOOKS[key];
  return (
    <p className={`inline-flex shrink-0 items-center self-start gap-1.5 rounded px-2 py-0.5 text-sm ${look}`}>
      <Icon aria-hidden="true" className="size-3.5 shrink-0" />
      {t(`state.${key}`)}
    </p>
  );
}

function keyOf({ config }: NocodbState): keyof typeof LOOKS {
  if (!config) return "off";
  if (config.last_test_success === null) return "untested";
  return config.last_test_success ? "works" : "fails";
}
