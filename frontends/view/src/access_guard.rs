//! Who is let in: requests for this address, with the token, from the page itself.

use crate::ViewError;
use crate::http::{Head, Reply};

/// Where questions are answered.
pub(crate) const QUESTIONS: &str = "questions/";
/// Bytes of a token.
const TOKEN: usize = 16;

/// Who is let in.
pub(crate) struct AccessGuard {
    port: u16,
    token: String,
}

impl AccessGuard {
    pub(crate) fn new(port: u16) -> Result<Self, ViewError> {
        let mut bytes = [0u8; TOKEN];
        getrandom::fill(&mut bytes).map_err(|e| ViewError::Random(e.to_string()))?;
        let token = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        Ok(Self { port, token })
    }

    pub(crate) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// What is asked for, behind the token; else the refusal. All who do not know the token are answered the same.
    pub(crate) fn let_in<'r>(&self, request: &'r Head) -> Result<&'r str, Reply> {
        let header = |name| request.header(name);
        self.check(header("Host"), header("Origin"), header("Sec-Fetch-Site"))?;
        let Some(path) = self.behind_token(&request.target) else {
            return Err(Reply::text(
                403,
                "The address of the page has a token: take the one that jinsi view printed.\n",
            ));
        };
        match request.method.as_str() {
            "GET" | "HEAD" => Ok(path),
            // Answers to its questions are all that the page changes.
            "POST" if path.starts_with(QUESTIONS) => Ok(path),
            _ => Err(Reply::text(405, "Nothing can be changed here.\n")),
        }
    }

    /// By the names of the machine and of the page that asks. Another name for this machine is a page elsewhere that has had its own name
    /// pointed here.
    fn check(
        &self,
        host: Option<&str>,
        origin: Option<&str>,
        site: Option<&str>,
    ) -> Result<(), Reply> {
        let hosts = [
            format!("127.0.0.1:{}", self.port),
            format!("localhost:{}", self.port),
        ];
        let is_ours = |host: &str| hosts.iter().any(|ours| ours.eq_ignore_ascii_case(host));
        if !host.is_some_and(is_ours) {
            return Err(Reply::text(403, "This server has another name.\n"));
        }
        let ours = |origin: &str| origin.strip_prefix("http://").is_some_and(is_ours);
        let from_elsewhere = origin.is_some_and(|origin| !ours(origin))
            || site.is_some_and(|site| !matches!(site, "same-origin" | "none"));
        match from_elsewhere {
            true => Err(Reply::text(403, "Other pages are not answered.\n")),
            false => Ok(()),
        }
    }

    fn behind_token<'r>(&self, url: &'r str) -> Option<&'r str> {
        let url = url.strip_prefix('/')?;
        let (token, path) = url.split_once('/')?;
        is_same(token.as_bytes(), self.token.as_bytes()).then_some(path)
    }
}

/// In a time that does not tell how much of it is right.
fn is_same(one: &[u8], other: &[u8]) -> bool {
    let differing = one.iter().zip(other).fold(0, |all, (a, b)| all | (a ^ b));
    one.len() == other.len() && differing == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard() -> AccessGuard {
        AccessGuard::new(4711).unwrap()
    }

    #[test]
    fn tokens_differ_and_are_long() {
        let (one, other) = (guard(), guard());
        assert_ne!(one.token, other.token);
        assert_eq!(one.token.len(), 2 * TOKEN);
    }

    #[test]
    fn only_the_whole_token_opens() {
        let guard = guard();
        let token = guard.token.clone();
        let behind = |url: &str| guard.behind_token(url).map(str::to_owned);
        assert_eq!(behind(&format!("/{token}/api/run")), Some("api/run".into()));
        assert_eq!(behind(&format!("/{token}/")), Some(String::new()));
        for bad in [
            "/",
            "",
            "//",
            "/api/run",
            &format!("/{token}"),
            &format!("/{}/", &token[1..]),
            &format!("/{token}0/"),
        ] {
            assert_eq!(behind(bad), None, "{bad}");
        }
    }

    #[test]
    fn names_and_pages_of_others_are_refused() {
        let guard = guard();
        let ok = |host, origin, site| guard.check(host, origin, site).is_ok();
        assert!(ok(Some("127.0.0.1:4711"), None, None));
        assert!(ok(
            Some("localhost:4711"),
            Some("http://localhost:4711"),
            Some("same-origin")
        ));
        assert!(ok(Some("127.0.0.1:4711"), None, Some("none")));
        for host in [
            None,
            Some("example.com"),
            Some("127.0.0.1"),
            Some("127.0.0.1:80"),
            Some("example.com:4711"),
        ] {
            assert!(!ok(host, None, None), "{host:?}");
        }
        for origin in [
            "null",
            "http://example.com",
            "https://127.0.0.1:4711",
            "http://127.0.0.1:4712",
        ] {
            assert!(!ok(Some("127.0.0.1:4711"), Some(origin), None), "{origin}");
        }
        assert!(!ok(Some("127.0.0.1:4711"), None, Some("cross-site")));
        assert!(!ok(Some("127.0.0.1:4711"), None, Some("same-site")));
    }
}
