//! Tests of the actions below `api/auth`.

pub(crate) mod google;
pub(crate) mod login;
pub(crate) mod logout;
pub(crate) mod me;
pub(crate) mod options;
pub(crate) mod password;
pub(crate) mod refresh;
pub(crate) mod resend;
pub(crate) mod sessions;
pub(crate) mod signup;
pub(crate) mod verify;
