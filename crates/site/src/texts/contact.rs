//! The words of `/contact`.

use serde::Deserialize;

use super::common::texts;

texts! {
    Contact {
        kicker: String,
        title: String,
        lead: String,
        form: Form,
        ways: Ways,
    }
    Form {
        title: String,
        required: String,
        first_name: String,
        last_name: String,
        email: String,
        message: String,
        send: String,
        use_of_data: String,
        privacy: String,
    }
    Ways {
        title: String,
        email: Way,
        phone: Way,
        address: Way,
    }
    /// A way to reach us, and when.
    Way {
        label: String,
        value: String,
        note: String,
    }
}
