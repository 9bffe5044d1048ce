/** Container of toasts. Its code is loaded with the first toast, or when the browser is idle: see toaster-place.tsx. */
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { createPart, usePart } from "@/lib/part";
import { onToastQueued } from "@/lib/toast";

const place = createPart(async () => (await import("./toaster-place")).ToasterPlace);

/** Creates the container before the first toast: screen readers announce changes only in regions that already exist. */
export const loadToaster = place.load;

export function Toaster() {
  const { t } = useTranslation();
  const Place = usePart(place);
  useEffect(() => onToastQueued(() => void loadToaster().catch((error: unknown) => console.error(error))), []);
  return Place && <Place label={t("notifications")} />;
}
