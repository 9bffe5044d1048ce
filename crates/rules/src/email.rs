//! The form of e-mail addresses.

/// Whether a text has the form name, @, domain with a dot. Only a mail can tell whether it arrives.
pub(crate) fn looks_like_email(text: &str) -> bool {
    if text.chars().any(|c| c.is_whitespace() || c.is_control()) {
        return false;
    }
    let Some((name, domain)) = text.split_once('@') else {
        return false;
    };
    !name.is_empty()
        && !domain.contains('@')
        && domain.contains('.')
        && domain.split('.').all(|label| !label.is_empty())
}
