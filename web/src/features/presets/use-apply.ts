/** Selects a preset for the next transcription: stored in this browser until the upload page applies it. */
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import type { Preset } from "@/api/presets";
import { storeAppliedPreset } from "@/domain/presets/applied-preset";
import { toast } from "@/lib/toast";

export function useApply(): (preset: Preset) => void {
  const { t } = useTranslation("presets");
  const navigate = useNavigate();
  return (preset) => {
    try {
      storeAppliedPreset(preset);
    } catch (error) {
      // The browser's storage is full or forbidden.
      console.error(error);
      toast.error(t("apply_failed"));
      return;
    }
    void navigate("/upload");
  };
}
