/** Which sheet is open. */
import type { Preset } from "@/api/presets";
import { useOpener } from "@/hooks/use-opener";

export type OpenSheet = { sheet: "details" | "edit"; id: string } | { sheet: "create" | "import" };

export function useOpenSheet() {
  const { open, show, close } = useOpener<OpenSheet>();
  return {
    open,
    create: () => show({ sheet: "create" }),
    bringIn: () => show({ sheet: "import" }),
    details: ({ id }: Preset) => show({ sheet: "details", id }),
    edit: ({ id }: Preset) => show({ sheet: "edit", id }),
    close,
  };
}
