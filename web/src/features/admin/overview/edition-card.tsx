/** Asks for the edition, until it is set here or in the server's configuration. */
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import { type Edition, siteQuery, useChooseEdition } from "@/api/admin-site";
import { Button } from "@/components/button";
import { FormAlert } from "@/components/form-alert";
import { useErrorText } from "@/hooks/use-error-text";
import { toast } from "@/lib/toast";
import { EDITIONS } from "@/rules/constants";

export function EditionCard() {
  const { t } = useTranslation("admin-site");
  const errorText = useErrorText();
  const id = useId();
  const { data } = useQuery(siteQuery());
  const choose = useChooseEdition();
  if (!data || data.answered) return null;
  const answer = (edition: Edition) => choose.mutate(edition, { onSuccess: () => toast.success(t("edition.chosen")) });
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4 rounded border border-rule-strong bg-paper-raised p-5">
      <div>
        <h2 id={id} className="headline text-lg">
          {t("edition.question")}
        </h2>
        <p className="mt-1 max-w-[64ch] text-ink-soft">{t("edition.text")}</p>
      </div>
      <div className="grid gap-4 sm:grid-cols-2">
        {EDITIONS.map((edition) => (
          <div key={edition} className="flex flex-col gap-2">
            <p className="font-strong">{t(`edition.${edition}.label`)}</p>
            <p id={`${id}-${edition}`} className="flex-1 text-sm text-ink-soft">
              {t(`edition.${edition}.hint`)}
            </p>
            <Button
              className="self-start"
              aria-describedby={`${id}-${edition}`}
              busy={choose.isPending && choose.variables === edition}
              disabled={choose.isPending && choose.variables !== edition}
              onClick={() => answer(edition)}
            >
              {t(`edition.${edition}.choose`)}
            </Button>
          </div>
        ))}
      </div>
      <FormAlert text={choose.error ? `${t("edition.failed")}. ${errorText(choose.error)}` : null} />
    </section>
  );
}
