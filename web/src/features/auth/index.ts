export { ForgotPage } from "./forgot-page";
export { LoginPage } from "./login-page";
export { ProfilePage } from "./profile-page";
export { ResetPage } from "./reset-page";
export { SignedInPage } from "./signed-in-page";
export { SignupPage } from "./signup-page";
export { SuccessPage } from "./success-page";
export { VerifyPage } from "./verify-page";
