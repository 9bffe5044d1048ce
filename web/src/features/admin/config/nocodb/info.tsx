import { Info as InfoSign } from "lucide-react";
import { useTranslation } from "react-i18next";

/** Which data is synchronised in which direction, and when. */
export function Info({ minutes }: { minutes: number }) {
  const { t } = useTranslation("admin-nocodb");
  return (
    <aside aria-labelledby="nocodb-info" className="self-start rounded bg-note-wash px-4 py-3 text-sm">
      <h3 id="nocodb-info" className="flex items-center gap-2 font-strong text-note">
        <InfoSign aria-hidden="true" className="size-4 shrink-0" />
        {t("info.title")}
      </h3>
      <ul className="mt-2 flex list-disc flex-col gap-1.5 pl-5">
        <li>{t("info.two_way")}</li>
        <li>{t("info.one_way")}</li>
        <li>{t("info.removal")}</li>
        <li>{minutes > 0 ? t("info.schedule", { count: minutes }) : t("info.schedule_off")}</li>
      </ul>
    </aside>
  );
}
