/** The services, by category. */
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { WebhookService } from "@/api/admin-webhooks";
import { Skeleton } from "@/components/skeleton";
import { ServiceRow } from "./service-row";

interface ServiceListProps {
  services: readonly WebhookService[];
  onEdit: (service: WebhookService) => void;
  onLog: (service: WebhookService) => void;
  onDeleted: () => void;
}

export function ServiceList({ services, ...actions }: ServiceListProps) {
  const categories = [...new Set(services.map((service) => service.category))];
  return (
    <div className="flex flex-col">
      {categories.map((category) => (
        <Category
          key={category}
          category={category}
          services={services.filter((service) => service.category === category)}
          {...actions}
        />
      ))}
    </div>
  );
}

function Category({ category, services, ...actions }: ServiceListProps & { category: WebhookService["category"] }) {
  const { t } = useTranslation(["admin-webhooks", "rules"]);
  const id = useId();
  return (
    <section aria-labelledby={id} className="border-t border-rule pt-4 pb-2">
      <h3 id={id} className="kicker">
        {t(`rules:webhook_category.${category}`)}
      </h3>
      <ul className="divide-y divide-rule">
        {services.map((service) => (
          <ServiceRow key={service.id} service={service} {...actions} />
        ))}
      </ul>
    </section>
  );
}

export function ServiceSkeletons() {
  return (
    <ul className="divide-y divide-rule border-t border-rule py-2">
      {["a", "b", "c"].map((key) => (
        <li key={key} className="py-3.5">
          <Skeleton className="h-5 w-2/5" />
          <Skeleton className="mt-2 h-4 w-3/5" />
          <Skeleton className="mt-3 h-8 w-64 max-w-full" />
        </li>
      ))}
    </ul>
  );
}
