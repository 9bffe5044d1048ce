//! Somebody who uses the program over the network.

use serde_json::{Value, json};

use crate::outbox;
use crate::program::{Answer, Program};

/// Everybody's password.
pub const PASSWORD: &str = "Correct-Horse-7";

/// Somebody who is signed in.
pub struct User(String);

impl User {
    pub fn sign_up(program: &Program) -> Self {
        Self::sign_up_as(program, "a@example.com")
    }

    /// [`User::sign_up`] with this address.
    pub fn sign_up_as(program: &Program, email: &str) -> Self {
        let password = PASSWORD;
        let form = json!({"email": email, "password": password,
            "confirm_password": password, "terms": true, "locale": "en"});
        let headers = [("Content-Type", "application/json")];
        let body = form.to_string();
        let answer = program.send("POST", "/api/v1/auth/signup", &headers, body.as_bytes());
        assert_eq!(answer.status, 201, "{}", answer.json());
        let code = outbox::code(&program.data(), email);
        let form = json!({"registration": answer.json()["registration"], "code": code});
        let body = form.to_string();
        let answer = program.send("POST", "/api/v1/auth/verify", &headers, body.as_bytes());
        assert_eq!(answer.status, 201, "{}", answer.json());
        Self(format!(
            "Bearer {}",
            answer.json()["access_token"].as_str().unwrap()
        ))
    }

    /// Reads something, unless the program is killed meanwhile.
    pub fn try_get(&self, program: &Program, path: &str) -> Option<Answer> {
        program.try_send("GET", path, &[("Authorization", &self.0)], b"")
    }

    /// Posts something, unless the program is killed meanwhile.
    pub fn try_post(&self, program: &Program, path: &str, body: &Value) -> Option<Answer> {
        let headers = [
            ("Authorization", self.0.as_str()),
            ("Content-Type", "application/json"),
        ];
        program.try_send("POST", path, &headers, body.to_string().as_bytes())
    }

    /// Removes the account.
    pub fn leave(&self, program: &Program) {
        let headers = [
            ("Authorization", self.0.as_str()),
            ("Content-Type", "application/json"),
        ];
        let form = json!({"password": PASSWORD}).to_string();
        let answer = program.send("DELETE", "/api/v1/me", &headers, form.as_bytes());
        assert_eq!(answer.status, 204);
    }

    /// Whoever has this access token.
    pub fn of_token(token: &str) -> Self {
        Self(format!("Bearer {token}"))
    }

    /// Removes the account, unless the program is killed meanwhile.
    pub fn try_leave(&self, program: &Program) -> Option<Answer> {
        let headers = [
            ("Authorization", self.0.as_str()),
            ("Content-Type", "application/json"),
        ];
        let form = json!({"password": PASSWORD}).to_string();
        program.try_send("DELETE", "/api/v1/me", &headers, form.as_bytes())
    }

    /// Sends a picture of oneself.
    pub fn set_avatar(&self, program: &Program, image: &[u8]) {
        let headers = [
            ("Authorization", self.0.as_str()),
            ("Content-Type", "application/octet-stream"),
        ];
        let answer = program.send("PUT", "/api/v1/me/avatar", &headers, image);
        assert_eq!(answer.status, 200);
    }

    /// Puts something.
    pub fn put(&self, program: &Program, path: &str, body: &Value) -> Answer {
        let headers = [
            ("Authorization", self.0.as_str()),
            ("Content-Type", "application/json"),
        ];
        program.send("PUT", path, &headers, body.to_string().as_bytes())
    }

    /// Makes a job of these bytes, unless it is refused or the program is killed meanwhile.
    pub fn try_job(&self, program: &Program, bytes: &[u8]) -> Option<Answer> {
        let size = bytes.len().to_string();
        let created = self.try_begin(program, &size)?;
        if created.status != 201 {
            return Some(created);
        }
        let upload = created.header("location").to_owned();
        // Its answer has no body, which cannot be told from one that was cut off.
        program.try_send("PATCH", &upload, &self.patch_headers("0"), bytes);
        let settings = json!({"transcription_type": "lite", "language_code": "en"});
        let upload = upload.rsplit('/').next()?;
        let body = json!({"upload_id": upload, "settings": settings});
        self.try_post(program, "/api/v1/jobs", &body)
    }

    /// Posts something that must happen once, unless the program is killed meanwhile.
    pub fn try_post_once(
        &self,
        program: &Program,
        path: &str,
        body: &Value,
        key: &str,
    ) -> Option<Answer> {
        let headers = [
            ("Authorization", self.0.as_str()),
            ("Content-Type", "application/json"),
            ("Idempotency-Key", key),
        ];
        program.try_send("POST", path, &headers, body.to_string().as_bytes())
    }

    /// Deletes something, unless the program is killed meanwhile.
    pub fn try_delete(&self, program: &Program, path: &str) -> Option<Answer> {
        let headers = [("Authorization", self.0.as_str())];
        program.try_send("DELETE", path, &headers, b"")
    }

    /// Begins an upload of this many bytes, unless the program is killed meanwhile.
    pub fn try_begin(&self, program: &Program, size: &str) -> Option<Answer> {
        let headers = [
            ("Authorization", self.0.as_str()),
            ("Tus-Resumable", "1.0.0"),
            ("Upload-Length", size),
            ("Upload-Metadata", "filename dGFsay53YXY="),
        ];
        program.try_send("POST", "/api/v1/uploads", &headers, b"")
    }

    /// Asks how much of an upload is there, unless the program is killed meanwhile.
    pub fn try_head(&self, program: &Program, path: &str) -> Option<Answer> {
        let headers = [
            ("Authorization", self.0.as_str()),
            ("Tus-Resumable", "1.0.0"),
        ];
        program.try_send("HEAD", path, &headers, b"")
    }

    /// The id of the account.
    pub fn id(&self, program: &Program) -> String {
        let me = self.get(program, "/api/v1/auth/me").json();
        let id = me["id"].as_str().or_else(|| me["user"]["id"].as_str());
        id.unwrap_or_else(|| panic!("no id in {me}")).to_owned()
    }

    pub fn get(&self, program: &Program, path: &str) -> Answer {
        program.send("GET", path, &[("Authorization", &self.0)], b"")
    }

    /// Posts something.
    pub fn post(&self, program: &Program, path: &str, body: &Value) -> Answer {
        let headers = [
            ("Authorization", self.0.as_str()),
            ("Content-Type", "application/json"),
        ];
        program.send("POST", path, &headers, body.to_string().as_bytes())
    }

    /// Begins an upload and gives its path.
    pub fn begin(&self, program: &Program, size: usize) -> String {
        let answer = self.try_begin(program, &size.to_string()).unwrap();
        assert_eq!(answer.status, 201);
        answer.header("location").to_owned()
    }

    /// Begins a recording, whose length is told later, and gives its path.
    pub fn begin_recording(&self, program: &Program) -> String {
        let headers = [
            ("Authorization", self.0.as_str()),
            ("Tus-Resumable", "1.0.0"),
            ("Upload-Defer-Length", "1"),
            // "voice"
            ("Upload-Metadata", "kind dm9pY2U="),
        ];
        let answer = program.send("POST", "/api/v1/uploads", &headers, b"");
        assert_eq!(answer.status, 201);
        answer.header("location").to_owned()
    }

    /// Says that a recording has come to its end.
    pub fn end_recording(&self, program: &Program, path: &str, length: usize) {
        let length = length.to_string();
        let mut headers = self.patch_headers(&length).to_vec();
        headers.push(("Upload-Length", &length));
        let answer = program.send("PATCH", path, &headers, b"");
        assert_eq!(answer.status, 204);
    }

    pub fn patch_headers<'a>(&'a self, at: &'a str) -> [(&'a str, &'a str); 4] {
        [
            ("Authorization", self.0.as_str()),
            ("Tus-Resumable", "1.0.0"),
            ("Content-Type", "application/offset+octet-stream"),
            ("Upload-Offset", at),
        ]
    }

    pub fn append(&self, program: &Program, path: &str, at: usize, bytes: &[u8]) {
        let at = at.to_string();
        let answer = program.send("PATCH", path, &self.patch_headers(&at), bytes);
        assert_eq!(
            answer.status,
            204,
            "{}: {}",
            String::from_utf8_lossy(&answer.body),
            program.log()
        );
    }

    pub fn offset(&self, program: &Program, path: &str) -> usize {
        let answer = self.try_head(program, path).unwrap();
        assert_eq!(answer.status, 200);
        answer.header("upload-offset").parse().unwrap()
    }

    /// Makes a job of these bytes and gives its path.
    pub fn job(&self, program: &Program, bytes: &[u8]) -> String {
        let settings = json!({"transcription_type": "lite", "language_code": "en"});
        self.job_with(program, bytes, &settings)
    }

    /// Makes a job with these settings and gives its path.
    pub fn job_with(&self, program: &Program, bytes: &[u8], settings: &Value) -> String {
        let upload = self.begin(program, bytes.len());
        self.append(program, &upload, 0, bytes);
        self.job_of_upload(program, &upload, settings)
    }

    /// Makes a job of a complete upload and gives its path.
    pub fn job_of_upload(&self, program: &Program, upload: &str, settings: &Value) -> String {
        let upload = upload.rsplit('/').next().unwrap();
        let body = json!({"upload_id": upload, "settings": settings});
        let answer = self.post(program, "/api/v1/jobs", &body);
        assert_eq!(answer.status, 201, "{}", answer.json());
        format!(
            "/api/v1/jobs/{}",
            answer.json()["my_job_id"].as_str().unwrap()
        )
    }

    /// Makes a job of an address and gives its path.
    pub fn job_of(&self, program: &Program, url: &str) -> String {
        let settings = json!({"transcription_type": "lite", "language_code": "en", "url": url});
        let answer = self.post(program, "/api/v1/jobs", &json!({"settings": settings}));
        assert_eq!(answer.status, 201, "{}", answer.json());
        format!(
            "/api/v1/jobs/{}",
            answer.json()["my_job_id"].as_str().unwrap()
        )
    }

    /// Follows the job to its end and gives it as it is then.
    pub fn ended(&self, program: &Program, job: &str) -> Value {
        self.get(program, &format!("{job}/events"));
        self.get(program, job).json()
    }

    /// Follows the job to its end and gives its transcript.
    pub fn transcript(&self, program: &Program, job: &str) -> Value {
        let events = self.get(program, &format!("{job}/events"));
        let events = String::from_utf8(events.body).unwrap();
        assert!(
            events.contains("event: completed"),
            "{events}\n{}",
            program.log()
        );
        self.get(program, &format!("{job}/transcript?times=all"))
            .json()
    }
}
