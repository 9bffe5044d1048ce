//! Texts of `/contact`.

use serde::Deserialize;

use super::common::texts;

texts! {
    Contact {
        kicker: String,
        title: String,
        lead: String,
        /// Texts for an organisation's server, which does not promise an answer within a day.
        organisation: Organisation,
        form: Form,
        ways: Ways,
    }
    Organisation {
        title: String,
        lead: String,
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
        owner: String,
        email: String,
        phone: String,
        hours: String,
        address: String,
        hosting: String,
        social: String,
        imprint: String,
    }
}
