/** The place of short messages. Its code comes with the first one, or as soon as the browser is idle: see toaster-place.tsx. */
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { createPart, usePart } from "@/lib/part";
import { onToastWaiting } from "@/lib/toast";

const place = createPart(async () => (await import("./toaster-place")).ToasterPlace);

/** Readies the place before there is a message: a screen reader listens only to places that it knows. */
export const loadToaster = place.load;

export function Toaster() {
  const { t } = useTranslation();
  const Place = usePart(place);
  useEffect(() => onToastWaiting(() => void loadToaster().catch((error: unknown) => console.error(error))), []);
  return Place && <Place label={t("notifications")} />;
}
