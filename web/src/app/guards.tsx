/** Who may see which routes. */
import { Navigate, Outlet, useLocation } from "react-router";
import { leftOnPurpose, useUser } from "@/api";
import { Loading } from "@/components/loading";
import { PATHS } from "./paths";

/** Carried in the history entry of /login: the page that was wanted. */
interface LoginState {
  from?: string;
}

/** Sends strangers to sign in, and remembers where they wanted to go. */
export function RequireUser() {
  const user = useUser();
  const { pathname, search, hash } = useLocation();
  if (user) return <Outlet />;
  const state: LoginState = leftOnPurpose() ? {} : { from: pathname + search + hash };
  return (
    <>
      <Loading />
      <Navigate to={PATHS.login} state={state} replace />
    </>
  );
}

/** Who is signed in has no business on the sign-in pages. */
export function GuestOnly() {
  const user = useUser();
  const { state } = useLocation() as { state: LoginState | null };
  return user ? <Navigate to={state?.from ?? PATHS.dashboard} replace /> : <Outlet />;
}

export function HomeRedirect() {
  return <Navigate to={useUser() ? PATHS.dashboard : PATHS.login} replace />;
}
