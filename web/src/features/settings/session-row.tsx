import { Laptop, type LucideIcon, Smartphone, Tablet, Terminal } from "lucide-react";
import { useTranslation } from "react-i18next";
import type { SessionInfo } from "@/api/account";
import { InlineConfirm } from "@/components/inline-confirm";
import { useLocale } from "@/hooks/use-locale";
import { type Device, describeDevice } from "@/lib/device";
import { formatAgo, formatFullDateTime } from "@/lib/format";

const SIGNS: Record<Device["kind"], LucideIcon> = { desktop: Laptop, mobile: Smartphone, tablet: Tablet, other: Terminal };

export function SessionRow({ session, onEnd }: { session: SessionInfo; onEnd: () => Promise<unknown> }) {
  const { t } = useTranslation("settings");
  const locale = useLocale();
  const device = describeDevice(session.user_agent);
  const Sign = SIGNS[device.kind];
  const name = [device.program, device.system].filter(Boolean).join(", ") || t("sessions.unknown");
  return (
    <li className="flex flex-wrap items-start gap-x-3 gap-y-2 border-b border-rule py-3.5">
      <Sign aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-ink-faint" strokeWidth={1.5} />
      <div className="min-w-0 flex-1 basis-48">
        <p className="flex flex-wrap items-baseline gap-x-2.5">
          <span className="font-strong">{name}</span>
          {session.current && <span className="rounded-sm bg-good-wash px-1.5 text-sm text-good">{t("sessions.current")}</span>}
        </p>
        <p className="flex flex-wrap items-baseline gap-x-3 text-sm text-ink-soft">
          {session.current ? (
            <span>{t("sessions.now")}</span>
          ) : (
            <time dateTime={session.last_used_at} title={formatFullDateTime(session.last_used_at, locale)}>
              {t("sessions.last_used", { ago: formatAgo(session.last_used_at, locale) })}
            </time>
          )}
          {session.address && <span className="figures text-[0.8125rem] wrap-anywhere">{session.address}</span>}
        </p>
      </div>
      {!session.current && (
        <InlineConfirm
          label={t("sessions.end")}
          description={t("sessions.end_name", { name })}
          question={t("sessions.end_question")}
          confirm={t("sessions.end_yes")}
          onConfirm={onEnd}
        />
      )}
    </li>
  );
}
