//! Links with which people share files: the page that a link opens is turned into the address of the
//! file itself.
//!
//! - Dropbox: `dl=1` (<https://help.dropbox.com/share/force-download>).
//! - Google Drive: `drive.usercontent.google.com/download`, which is where the button of the page
//!   leads, also for files too large to be checked for viruses.
//! - Zoom: the page of a shared recording has no address without its scripts, so it is read by
//!   yt-dlp where that is installed; links to the file itself are used as they are.

use reqwest::Url;

/// What a link leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shared {
    /// A file, with its own address.
    File(Url),
    /// A folder.
    Folder,
    /// No service that is known here, or a page.
    Other,
}

/// The hosts of the services.
#[derive(Clone, Debug)]
pub struct Services {
    dropbox: Vec<String>,
}

impl Default for Services {
    fn default() -> Self {
        let dropbox = ["dropbox.com", "www.dropbox.com"].map(str::to_owned);
        Self {
            dropbox: dropbox.into(),
        }
    }
}

impl Services {
    /// With another host that answers like Dropbox.
    #[cfg(test)]
    pub(crate) fn with_dropbox(mut self, host: &str) -> Self {
        self.dropbox.push(host.to_owned());
        self
    }

    /// What a link leads to.
    #[must_use]
    pub fn read(&self, link: &Url) -> Shared {
        let host = link.host_str().unwrap_or_default();
        let host = host.strip_suffix('.').unwrap_or(host);
        let path: Vec<&str> = link.path_segments().into_iter().flatten().collect();
        if self.dropbox.iter().any(|known| known == host) {
            return dropbox(link, &path);
        }
        match host {
            "drive.google.com" => drive(link, &path),
            host if host == "zoom.us" || host.ends_with(".zoom.us") => zoom(link, &path),
            _ => Shared::Other,
        }
    }
}

fn dropbox(link: &Url, path: &[&str]) -> Shared {
    match path {
        // `/scl/fi/ID/NAME?rlkey=KEY`, and the older `/s/ID/NAME`.
        ["scl", "fi", _, ..] | ["s", _, ..] => {
            let kept = link.query_pairs();
            let kept = kept.filter(|(name, _)| name != "dl" && name != "raw");
            let kept: Vec<_> = kept
                .map(|(name, value)| (name.into_owned(), value.into_owned()))
                .collect();
            let mut file = link.clone();
            file.query_pairs_mut()
                .clear()
                .extend_pairs(kept)
                .append_pair("dl", "1");
            Shared::File(file)
        }
        ["scl", "fo", ..] | ["sh", ..] => Shared::Folder,
        _ => Shared::Other,
    }
}

fn drive(link: &Url, path: &[&str]) -> Shared {
    let parameter = |wanted: &str| {
        let found = link.query_pairs().find(|(name, _)| name == wanted);
        found.map(|(_, value)| value.into_owned())
    };
    let path = match path {
        // With several accounts: `/u/0/…` or `/file/u/0/…`.
        ["u", _, rest @ ..] => rest,
        path => path,
    };
    let id = match path {
        ["file", "u", _, "d", id, ..] | ["file", "d", id, ..] => (*id).to_owned(),
        ["open" | "uc"] => parameter("id").unwrap_or_default(),
        ["drive", rest @ ..] if rest.contains(&"folders") => return Shared::Folder,
        ["folderview", ..] => return Shared::Folder,
        _ => return Shared::Other,
    };
    let is_id = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    if id.is_empty() || !id.chars().all(is_id) {
        return Shared::Other;
    }
    let Ok(mut file) = Url::parse("https://drive.usercontent.google.com/download") else {
        return Shared::Other;
    };
    file.query_pairs_mut()
        .append_pair("id", &id)
        .append_pair("export", "download")
        .append_pair("confirm", "t");
    // Links from before 2021 need it.
    if let Some(key) = parameter("resourcekey") {
        file.query_pairs_mut().append_pair("resourcekey", &key);
    }
    Shared::File(file)
}

fn zoom(link: &Url, path: &[&str]) -> Shared {
    match path {
        ["rec", "download", ..] | ["rec", "webhook_download", ..] => Shared::File(link.clone()),
        _ => Shared::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(link: &str) -> Shared {
        Services::default().read(&Url::parse(link).unwrap())
    }

    #[test]
    fn links_to_files_become_their_addresses() {
        for (link, file) in [
            (
                "https://www.dropbox.com/scl/fi/ab12/talk%20one.mp3?rlkey=k%26y&st=1&dl=0",
                "https://www.dropbox.com/scl/fi/ab12/talk%20one.mp3?rlkey=k%26y&st=1&dl=1",
            ),
            (
                "https://dropbox.com/s/ab12/talk.mp3",
                "https://dropbox.com/s/ab12/talk.mp3?dl=1",
            ),
            (
                "https://www.dropbox.com/s/ab12/talk.mp3?raw=1",
                "https://www.dropbox.com/s/ab12/talk.mp3?dl=1",
            ),
            (
                "https://drive.google.com/file/d/1a-B_c/view?usp=sharing",
                "https://drive.usercontent.google.com/download?id=1a-B_c&export=download&confirm=t",
            ),
            (
                "https://drive.google.com/file/u/1/d/1a-B_c/edit",
                "https://drive.usercontent.google.com/download?id=1a-B_c&export=download&confirm=t",
            ),
            (
                "https://drive.google.com/open?id=1a&resourcekey=0-x",
                "https://drive.usercontent.google.com/download?id=1a&export=download&confirm=t&resourcekey=0-x",
            ),
            (
                "https://drive.google.com/u/0/uc?export=download&id=1a",
                "https://drive.usercontent.google.com/download?id=1a&export=download&confirm=t",
            ),
            (
                "https://us02web.zoom.us/rec/download/abc?type=cc",
                "https://us02web.zoom.us/rec/download/abc?type=cc",
            ),
        ] {
            assert_eq!(
                read(link),
                Shared::File(Url::parse(file).unwrap()),
                "{link}"
            );
        }
    }

    #[test]
    fn links_to_folders_are_known() {
        for link in [
            "https://www.dropbox.com/scl/fo/ab12/AB?rlkey=k&dl=0",
            "https://www.dropbox.com/sh/ab12/AB",
            "https://drive.google.com/drive/folders/1a?usp=sharing",
            "https://drive.google.com/drive/u/0/folders/1a",
            "https://drive.google.com/folderview?id=1a",
        ] {
            assert_eq!(read(link), Shared::Folder, "{link}");
        }
    }

    #[test]
    fn other_links_stay_as_they_are() {
        for link in [
            "https://www.dropbox.com/home",
            "https://dropbox.com.example.com/s/ab12/talk.mp3",
            "https://drive.google.com/drive/my-drive",
            "https://drive.google.com/file/d/../../etc/view",
            "https://drive.google.com/file/d/a%2Fb/view",
            "https://drive.google.com/open",
            "https://notzoom.us/rec/download/abc",
            "https://zoom.us/rec/share/abc",
            "https://example.com/file/d/1a/view",
            "http://127.0.0.1/s/ab12/talk.mp3",
        ] {
            assert_eq!(read(link), Shared::Other, "{link}");
        }
    }
}
