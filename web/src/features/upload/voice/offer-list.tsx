/** Recordings interrupted by a crash, a reload or on another device. */
import { useTranslation } from "react-i18next";
import { Button } from "@/components/button";
import { useLocale } from "@/hooks/use-locale";
import { formatBytes, formatDateTime } from "@/lib/format";
import { recordingTimer } from "@/rules";
import type { Offer } from "./offers";

interface OfferListProps {
  offers: readonly Offer[];
  disabled: boolean;
  onContinue: (offer: Offer) => void;
  onUse: (offer: Offer) => void;
  onDiscard: (offer: Offer) => void;
}

export function OfferList({ offers, ...rest }: OfferListProps) {
  const { t } = useTranslation("voice");
  if (offers.length === 0) {
    return null;
  }
  return (
    <section className="rounded-lg border border-voice bg-voice-wash px-4 py-3">
      <h3 className="font-strong">{t(offers.length === 1 ? "offers.one" : "offers.title")}</h3>
      <ul className="mt-1 divide-y divide-rule-strong">
        {offers.map((offer) => (
          <OfferRow key={offer.id} offer={offer} {...rest} />
        ))}
      </ul>
    </section>
  );
}

function OfferRow({ offer, disabled, onContinue, onUse, onDiscard }: Omit<OfferListProps, "offers"> & { offer: Offer }) {
  const { t } = useTranslation("voice");
  const locale = useLocale();
  const name = offer.filename;
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 py-2">
      <div className="min-w-52 grow basis-52">
        <p className="truncate" title={name}>
          {name}
        </p>
        <p className="flex flex-wrap gap-x-3 text-sm text-ink-soft">
          <span className="figures text-ink">{recordingTimer(offer.seconds)}</span>
          <span>{formatDateTime(new Date(offer.startedAt).toISOString(), locale)}</span>
          <span className="figures">{formatBytes(offer.bytes, locale)}</span>
          {!offer.kept && <span>{t("offers.elsewhere")}</span>}
          {offer.busy && <span>{t("offers.busy")}</span>}
        </p>
      </div>
      {!offer.busy && (
        <div className="flex flex-wrap gap-2">
          {offer.open && (
            <Button
              size="small"
              disabled={disabled}
              aria-label={t("offers.continueNamed", { name })}
              onClick={() => onContinue(offer)}
            >
              {t("offers.continue")}
            </Button>
          )}
          <Button size="small" disabled={disabled} aria-label={t("offers.useNamed", { name })} onClick={() => onUse(offer)}>
            {t("offers.use")}
          </Button>
          <Button
            size="small"
            look="quiet"
            disabled={disabled}
            aria-label={t("offers.discardNamed", { name })}
            onClick={() => onDiscard(offer)}
          >
            {t("offers.discard")}
          </Button>
        </div>
      )}
    </li>
  );
}
