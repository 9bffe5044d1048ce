import { AudioLines } from "lucide-react";
import { useTranslation } from "react-i18next";
import { MenuItem } from "@/components/menu";

/** In the menu of a speaker. A component of its own, because its text is loaded separately. */
export function RememberItem({ onSelect }: { onSelect: () => void }) {
  const { t } = useTranslation("voices");
  return (
    <MenuItem onSelect={onSelect}>
      <AudioLines aria-hidden="true" />
      {t("remember.action")}
    </MenuItem>
  );
}
