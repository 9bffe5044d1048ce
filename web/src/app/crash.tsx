/** Shown when a page throws or its code cannot be loaded. Navigating to another page tries again. */
import { RotateCw } from "lucide-react";
import { Component, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { Button } from "@/components/button";
import { retryFailedParts } from "@/lib/part";

export function CrashBoundary({ children }: { children: ReactNode }) {
  return <Boundary place={useLocation().key}>{children}</Boundary>;
}

interface BoundaryProps {
  /** Key of the current history entry. */
  place: string;
  children: ReactNode;
}

interface BoundaryState {
  crashed: boolean;
  place: string;
}

class Boundary extends Component<BoundaryProps, BoundaryState> {
  override state: BoundaryState = { crashed: false, place: this.props.place };

  static getDerivedStateFromError(): Partial<BoundaryState> {
    return { crashed: true };
  }

  static getDerivedStateFromProps({ place }: BoundaryProps, state: BoundaryState): BoundaryState | null {
    return place === state.place ? null : { crashed: false, place };
  }

  override componentDidCatch() {
    retryFailedParts();
  }

  override render() {
    return this.state.crashed ? <Crash /> : this.props.children;
  }
}

function Crash() {
  const { t } = useTranslation("shell");
  return (
    <div role="alert" className="mx-auto flex max-w-xl flex-col items-start gap-4 px-6 py-16">
      <h2 className="headline text-3xl">{t("crash.title")}</h2>
      <p className="text-ink-soft">{t("crash.text")}</p>
      <Button look="primary" onClick={() => location.reload()}>
        <RotateCw aria-hidden="true" />
        {t("crash.reload")}
      </Button>
    </div>
  );
}
