import type { Session, User } from "./schema";

const USER: User = {
  id: "u1",
  email: "o@example.org",
  fullname: null,
  usage: null,
  avatar: null,
  has_password: true,
  terms_accepted: true,
  locale: null,
  theme: null,
  role: "user",
  initials: "O",
  created_at: "2026-01-01T00:00:00Z",
};

/** A session for tests, which does not expire during a test. */
export const SESSION: Session = {
  access_token: "a",
  refresh_token: "r",
  token_type: "bearer",
  expires_in: 900,
  expires_at: "2099-01-01T00:00:00Z",
  user: USER,
};

/** The same session for another user; fields that are not given are as above. */
export const sessionOf = (user: Partial<User>): Session => ({ ...SESSION, user: { ...USER, ...user } });
