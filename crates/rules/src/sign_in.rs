//! Results of sign-ins.

/// Retention, in days.
pub const KEPT_DAYS: i64 = 90;

wire_enum! {
    /// The outcome of a sign-in; its text is `outcomes.<word>` of `admin-sign-ins.json`.
    SignInOutcome {
        /// The user was signed in.
        SignedIn => "signed_in",
        /// The password was wrong.
        WrongPassword => "wrong_password",
        /// The verification code of a sign-up was wrong.
        WrongCode => "wrong_code",
        /// No account has this address.
        UnknownAddress => "unknown_address",
        /// The password was correct, but the address is not verified.
        Unverified => "unverified",
        /// The password was correct, but the account is blocked.
        Blocked => "blocked",
        /// There had been too many attempts.
        Limited => "limited",
        /// The provider could not say who it is, or may not.
        ProviderFailed => "provider_failed",
    }
}

wire_enum! {
    /// The method of a sign-in; its text is `methods.<word>` of `admin-sign-ins.json`.
    SignInMethod {
        /// E-mail and password.
        Password => "password",
        /// The verification code of a sign-up.
        Code => "code",
        /// An external provider (`OpenID` Connect).
        OpenId => "openid",
    }
}
