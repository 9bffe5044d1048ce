/** The page after the provider's redirect: exchanges the handoff token in the URL for a session. */
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { authOptionsQuery, enterWithHandoff } from "@/api";
import { Loading } from "@/components/loading";
import { usePageTitle } from "@/hooks/use-page-title";
import { returnTarget } from "@/lib/return-target";
import { AuthLayout } from "./auth-layout";
import { isAnswer } from "./failures";
import { clearGoogleSignIn, pathAfterGoogleSignIn, storedGoogleSignIn } from "./google-sign-in-state";
import { useHashSecret } from "./hash-secret";

export function SignedInPage() {
  const { t } = useTranslation("auth");
  usePageTitle(t("login.submit"));
  const navigate = useNavigate();
  const handoff = useHashSecret("handoff");
  // The token is valid once.
  const used = useRef(false);
  const { data: options } = useQuery(authOptionsQuery());

  useEffect(() => {
    if (used.current) return;
    used.current = true;
    const note = storedGoogleSignIn();
    clearGoogleSignIn();
    const enter = async () => {
      if (handoff === null) return navigate("/dashboard", { replace: true });
      const user = await enterWithHandoff(handoff, note.remember);
      return navigate(pathAfterGoogleSignIn(note, user), { replace: true, state: returnTarget(note) });
    };
    enter().catch((error: unknown) => {
      console.warn(error);
      const problem = isAnswer(error) ? error.code : "google_failed";
      return navigate(`/${note.intent}?problem=${problem}`, { replace: true, state: returnTarget(note) });
    });
  }, [handoff, navigate]);

  return (
    <AuthLayout title={t("google.title", { name: options?.provider ?? t("google.another") })} lead={t("google.lead")}>
      <Loading />
    </AuthLayout>
  );
}
