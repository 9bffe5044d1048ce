export { SignInsPage } from "./sign-ins-page";
