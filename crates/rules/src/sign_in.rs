//! Results of sign-ins.

/// Retention, in days.
pub const KEPT_DAYS: i64 = 90;

wire_enum! {
    /// How a sign-in ended; its text is `outcomes.<word>` of `admin-sign-ins.json`.
    SignInOutcome {
        /// Somebody is signed in.
        SignedIn => "signed_in",
        /// The password was another one.
        WrongPassword => "wrong_password",
        /// The code that ends a sign-up was another one.
        WrongCode => "wrong_code",
        /// There is no account of this address.
        UnknownAddress => "unknown_address",
        /// The password was right and the address is not confirmed.
        Unverified => "unverified",
        /// The password was right and the account is blocked.
        Blocked => "blocked",
        /// There were too many tries before.
        Limited => "limited",
        /// The provider could not say who it is, or may not.
        ProviderFailed => "provider_failed",
    }
}

wire_enum! {
    /// By what somebody signs in; its text is `methods.<word>` of `admin-sign-ins.json`.
    SignInMethod {
        /// E-mail and password.
        Password => "password",
        /// The code that ends a sign-up.
        Code => "code",
        /// Another server (`OpenID` Connect).
        OpenId => "openid",
    }
}
