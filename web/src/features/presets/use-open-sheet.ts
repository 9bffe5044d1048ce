/** Which sheet is open. */
import type { Preset } from "@/api/presets";
import { useOpenSheets } from "@/hooks/use-open-sheets";

export type OpenSheet = { sheet: "details" | "edit"; id: string } | { sheet: "create" | "import" };

export function useOpenSheet() {
  const { open, show, close } = useOpenSheets<OpenSheet>();
  return {
    open,
    create: () => show({ sheet: "create" }),
    bringIn: () => show({ sheet: "import" }),
    details: ({ id }: Preset) => show({ sheet: "details", id }),
    edit: ({ id }: Preset) => show({ sheet: "edit", id }),
    close,
  };
}
