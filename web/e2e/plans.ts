/** Creates plans, minutes and requests through the API, for tests of other features. */
import type { DemoPlan, ManagedPlan, PlanForm, Session } from "../src/api/schema";
import type { Server } from "./server";

export const PRO: PlanForm = {
  name: "Професійний",
  description: "Для редакцій: багато записів, швидка черга.",
  price: 299,
  currency: "UAH",
  monthly_minutes_limit: 1000,
  max_file_duration_minutes: 240,
  is_active: true,
  features: ["diarization", "realtime", "analytics", "api"],
  queue_speed: "fast",
};

export const STARTER: PlanForm = {
  name: "Стартовий",
  description: "Коли записів небагато.",
  price: 99.5,
  currency: "UAH",
  monthly_minutes_limit: 120,
  max_file_duration_minutes: 30,
  is_active: true,
  features: [],
  queue_speed: "standard",
};

/** Sends a request with an account's token. */
export async function send<Answer>(server: Server, { access_token }: Session, method: string, path: string, body?: object) {
  const response = await fetch(`${server.origin}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${access_token}`, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  return (response.status === 204 ? undefined : await response.json()) as Answer;
}

export const makePlan = (server: Server, admin: Session, form: PlanForm): Promise<ManagedPlan> =>
  send(server, admin, "POST", "/admin/plans", form);

export const givePlan = (server: Server, admin: Session, user: Session, plan_id: string | null) =>
  send(server, admin, "PUT", `/admin/users/${user.user.id}/plan`, { plan_id });

export const setDemo = (server: Server, admin: Session, demo: DemoPlan): Promise<DemoPlan> =>
  send(server, admin, "PUT", "/admin/demo-plan", demo);

/** The state of a new server. */
export const FREE: DemoPlan = {
  monthly_minutes_limit: null,
  max_file_duration_minutes: null,
  features: ["diarization", "translation", "realtime", "analytics", "api", "export_formats"],
};

/** Deletes all plans, after removing them from accounts. Without a plan nothing is limited. */
export async function clearPlans(server: Server, admin: Session): Promise<void> {
  const { requests } = await send<{ requests: { id: string; status: string }[] }>(server, admin, "GET", "/admin/plan-requests");
  for (const { id, status } of requests) {
    if (status === "open") await send(server, admin, "POST", `/admin/plan-requests/${id}/decision`, { approve: false });
  }
  const { users } = await send<{ users: { id: string }[] }>(server, admin, "GET", "/admin/users");
  for (const { id } of users) await send(server, admin, "PUT", `/admin/users/${id}/plan`, { plan_id: null });
  const { plans } = await send<{ plans: ManagedPlan[] }>(server, admin, "GET", "/admin/plans");
  for (const { id } of plans) await send(server, admin, "DELETE", `/admin/plans/${id}`);
  await setDemo(server, admin, FREE);
}
