import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useNavigate, useSearchParams } from "react-router";
import { authOptionsQuery, type GoogleIntent } from "@/api";
import { returnTarget } from "@/lib/return-target";
import { clearGoogleSignIn, storedGoogleSignIn } from "./google-sign-in-state";

const PARAMETER = "problem";

/**
 * The error of a failed sign-in with Google, which the server can only put in the URL. It is removed from the URL at
 * once, so that a reload or a bookmark does not show it again.
 */
export function useGoogleProblem(intent: GoogleIntent): { text: string | null; dismiss: () => void } {
  const { t } = useTranslation(["auth", "problems"]);
  const navigate = useNavigate();
  const state: unknown = useLocation().state;
  const [search] = useSearchParams();
  const [problem, setProblem] = useState(() => search.get(PARAMETER));
  const [note] = useState(storedGoogleSignIn);
  const { data: options } = useQuery(authOptionsQuery());
  const name = options?.provider ?? t("google.another");
  const inAddress = search.has(PARAMETER);
  useEffect(() => {
    if (!inAddress) return;
    // The redirects may have lost this page's history state; where the user wanted to go is stored elsewhere.
    void navigate({ search: "" }, { replace: true, state: { ...returnTarget(note), ...returnTarget(state) } });
    clearGoogleSignIn();
  }, [inAddress, navigate, note, state]);

  const text = () => {
    switch (problem) {
      case null:
        return null;
      case "account_blocked":
      case "handoff_expired":
      case "signup_closed":
        return t(`problems:codes.${problem}`);
      case "google_unverified":
        return t("google.unverified", { name });
      default:
        return t(intent === "signup" ? "google.signup_failed" : "google.login_failed", { name });
    }
  };
  return { text: text(), dismiss: () => setProblem(null) };
}
