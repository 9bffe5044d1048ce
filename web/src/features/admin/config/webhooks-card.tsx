/** The card of webhook services: the list, their state, and their delivery logs. */

import { useQuery } from "@tanstack/react-query";
import { Plus, Radio } from "lucide-react";
import { useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useTestWebhooks, type WebhookService, webhookServicesQuery } from "@/api/admin-webhooks";
import { Button } from "@/components/button";
import { NoCalls } from "@/components/drawings";
import { EmptyState, ErrorState } from "@/components/state-panel";
import { SecretSheet } from "@/domain/webhooks/secret-sheet";
import { useTestWords } from "@/domain/webhooks/use-test-run";
import { EditorSheet } from "./webhooks/editor-sheet";
import { ServiceList, ServiceSkeletons } from "./webhooks/service-list";
import { ServiceLog } from "./webhooks/service-log";

/** The sheet or dialog that is open over the page. */
type OpenSheet =
  | { sheet: "editor"; service: WebhookService | null }
  | { sheet: "secret"; name: string; secret: string }
  | { sheet: "log"; service: WebhookService };

export function WebhooksCard() {
  const { t } = useTranslation("admin-webhooks");
  const id = useId();
  const { data, error, refetch } = useQuery(webhookServicesQuery());
  const [over, setOver] = useState<OpenSheet | null>(null);
  /** The focus returns to the element that opened the sheet. */
  const opener = useRef<HTMLElement | null>(null);
  const heading = useRef<HTMLHeadingElement>(null);
  const open = (next: OpenSheet) => {
    if (over === null && document.activeElement instanceof HTMLElement) opener.current = document.activeElement;
    setOver(next);
  };
  const close = () => {
    setOver(null);
    requestAnimationFrame(() => (opener.current?.isConnected ? opener.current : heading.current)?.focus());
  };
  const showSecret = (name: string, secret: string) => open({ sheet: "secret", name, secret });
  const active = data?.filter((service) => service.is_active).length ?? 0;

  return (
    <section aria-labelledby={id} aria-busy={!data && !error} data-density="compact" className="flex flex-col gap-5">
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-80">
          <h2 id={id} ref={heading} tabIndex={-1} className="headline text-lg">
            {t("title")}
          </h2>
          <p className="mt-1 max-w-[64ch] text-sm text-ink-soft">{t("about")}</p>
        </div>
        <div className="flex flex-wrap gap-2">
          {active > 0 && <TestAll />}
          <Button look="primary" onClick={() => open({ sheet: "editor", service: null })}>
            <Plus aria-hidden="true" />
            {t("add")}
          </Button>
        </div>
      </header>
      {error && !data ? (
        <ErrorState title={t("load_failed")} error={error} onRetry={() => void refetch()} />
      ) : data?.length === 0 ? (
        <EmptyState drawing={NoCalls} title={t("empty")} text={t("empty_text")} />
      ) : data ? (
        <ServiceList
          services={data}
          onEdit={(service) => open({ sheet: "editor", service })}
          onLog={(service) => open({ sheet: "log", service })}
          onDeleted={() => heading.current?.focus()}
        />
      ) : (
        <ServiceSkeletons />
      )}
      {over?.sheet === "editor" && <EditorSheet service={over.service} onClose={close} onSecret={showSecret} />}
      {over?.sheet === "secret" && <SecretSheet name={over.name} secret={over.secret} onClose={close} />}
      {over?.sheet === "log" && <ServiceLog service={over.service} onClose={close} />}
    </section>
  );
}

function TestAll() {
  const { t } = useTranslation("admin-webhooks");
  const { tell, fail } = useTestWords();
  const test = useTestWebhooks();
  const testAll = () => test.mutate(undefined, { onSuccess: (results) => results.forEach(tell), onError: fail });
  return (
    <Button busy={test.isPending} onClick={testAll}>
      {!test.isPending && <Radio aria-hidden="true" />}
      {t("test_all")}
    </Button>
  );
}
