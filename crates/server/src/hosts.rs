//! The names of this server. A request for any other name is refused.
//!
//! A page of another site can give its own name the address of this machine (DNS rebinding). The browser then counts this
//! server as part of that site and lets the site's scripts read the answers. The `Host` header still has the foreign name, so
//! checking it is enough. An address in place of a name cannot be rebound.
//!
//! | listens on | accepted in `Host`, with any port |
//! |---|---|
//! | a loopback address | `localhost`, names below `.localhost`, loopback addresses |
//! | any other address | these, every address, and the name of the machine, alone and below `.local` |
//! | either | the names that were added |
//!
//! Ports are not compared: a tunnel or a proxy has a port of its own.

use crate::error::Error;
use axum::extract::{Request, State};
use axum::http::{Method, StatusCode, header, uri::Authority};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use std::net::{IpAddr, Ipv6Addr};
use std::sync::Arc;

/// The names and addresses under which a server answers.
#[derive(Clone, Debug)]
pub struct Hosts {
    is_loopback: bool,
    machine: Option<String>,
    added: Vec<String>,
}

impl Hosts {
    /// The names of a server that listens on this address, on a machine with this name.
    #[must_use]
    pub fn new(address: IpAddr, machine: Option<&str>) -> Self {
        // A machine that is called `box.example.org` is also `box` to its neighbours.
        let first = |name: &str| lower(name).split('.').next().unwrap_or_default().to_owned();
        let machine = machine.map(first).filter(|name| !name.is_empty());
        Self { is_loopback: address.to_canonical().is_loopback(), machine, added: Vec::new() }
    }

    /// Adds a name, or an address, without a port.
    #[must_use]
    pub fn allow(mut self, name: &str) -> Self {
        self.added.push(lower(name));
        self
    }

    /// Whether a request for this host, with or without a port, is for this server.
    fn has(&self, authority: &str) -> bool {
        let Some(host) = host(authority) else { return false };
        if self.added.contains(&host) || host == "localhost" || host.ends_with(".localhost") {
            return true;
        }
        match address(&host) {
            Some(address) => !self.is_loopback || address.is_loopback(),
            None => !self.is_loopback && self.is_machine(&host),
        }
    }

    fn is_machine(&self, host: &str) -> bool {
        self.machine.as_deref().is_some_and(|machine| host == machine || host.strip_suffix(".local") == Some(machine))
    }

    /// Whether a page of this origin may send questions: a page of this server, or of a proxy whose name was added.
    fn trusts(&self, origin: &str, asked: Option<&str>) -> bool {
        // A page without an origin of its own sends `null`.
        let Some((_, authority)) = origin.split_once("://") else { return false };
        let is_ours = asked.is_some_and(|asked| asked.eq_ignore_ascii_case(authority));
        is_ours || host(authority).is_some_and(|host| self.added.contains(&host))
    }

    fn check(&self, request: &Request) -> Result<(), Error> {
        let text = |name| request.headers().get_all(name).iter().map(|value| value.to_str().unwrap_or("?"));
        // `GET http://name/ HTTP/1.1` names the host in the address. Without any name, the client is no browser.
        let mut asked = text(header::HOST).chain(request.uri().authority().map(Authority::as_str));
        if let Some(foreign) = asked.find(|asked| !self.has(asked)) {
            let message = format!("this server is not `{foreign}`; --allow-host adds a name");
            return Err(Error::new(StatusCode::MISDIRECTED_REQUEST, "Host", message));
        }
        let mut origins = text(header::ORIGIN);
        if *request.method() == Method::POST
            && let Some(foreign) = origins.find(|origin| !self.trusts(origin, text(header::HOST).next()))
        {
            let message = format!("pages of `{foreign}` may not use this server");
            return Err(Error::new(StatusCode::FORBIDDEN, "Origin", message));
        }
        Ok(())
    }
}

/// Refuses a request for another host, and a question from a page of another site.
pub(crate) async fn guard(State(hosts): State<Arc<Hosts>>, request: Request, next: Next) -> Response {
    match hosts.check(&request) {
        Ok(()) => next.run(request).await,
        Err(error) => error.into_response(),
    }
}

/// A name in small letters, without the dot that ends an absolute name.
fn lower(name: &str) -> String {
    name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()
}

/// The host of `host`, `host:port`, `[address]` or `[address]:port`.
fn host(authority: &str) -> Option<String> {
    let authority: Authority = authority.parse().ok()?;
    // A user name has no place in these headers.
    (!authority.as_str().contains('@')).then(|| lower(authority.host()))
}

/// The address that a host is, if it is not a name.
fn address(host: &str) -> Option<IpAddr> {
    let v6 = || host.strip_prefix('[')?.strip_suffix(']')?.parse::<Ipv6Addr>().ok();
    host.parse().ok().or_else(|| v6().map(IpAddr::V6)).map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hosts(address: &str) -> Hosts {
        Hosts::new(address.parse().unwrap(), Some("Box.example.org"))
    }

    const LOOPBACK: [&str; 12] = [
        "localhost",
        "LocalHost:3999",
        "localhost.:80",
        "games.localhost:3999",
        "127.0.0.1",
        "127.0.0.1:3999",
        "127.8.9.10:1",
        "[::1]",
        "[::1]:3999",
        "[0:0:0:0:0:0:0:1]:3999",
        "[::ffff:127.0.0.1]:3999",
        "localhost:",
    ];

    const FOREIGN: [&str; 14] = [
        "evil.example",
        "evil.example:3999",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "notlocalhost",
        "evil.localhost.example",
        "box.evil.example",
        "boxes.local",
        "",
        ":3999",
        "localhost@evil.example",
        "evil.example@localhost",
        "localhost/..",
        "local host",
    ];

    const OF_THE_MACHINE: [&str; 8] = [
        "0.0.0.0:3999",
        "192.168.1.5",
        "192.168.1.5:3999",
        "[fe80::1]:3999",
        "box",
        "BOX:3999",
        "box.local",
        "8.8.8.8",
    ];

    #[test]
    fn a_loopback_server_has_loopback_names_alone() {
        for listened in ["127.0.0.1", "127.0.0.2", "::1", "::ffff:127.0.0.1"] {
            let hosts = hosts(listened);
            assert!(LOOPBACK.iter().all(|name| hosts.has(name)), "{listened}");
            for foreign in FOREIGN.iter().chain(&OF_THE_MACHINE) {
                assert!(!hosts.has(foreign), "{listened} {foreign}");
            }
        }
    }

    #[test]
    fn an_open_server_also_has_addresses_and_the_name_of_the_machine() {
        for listened in ["0.0.0.0", "::", "192.168.1.5"] {
            let hosts = hosts(listened);
            for name in LOOPBACK.iter().chain(&OF_THE_MACHINE) {
                assert!(hosts.has(name), "{listened} {name}");
            }
            for foreign in FOREIGN {
                assert!(!hosts.has(foreign), "{listened} {foreign}");
            }
        }
        let nameless = Hosts::new("0.0.0.0".parse().unwrap(), None);
        assert!(!nameless.has("") && !nameless.has(".local") && nameless.has("10.0.0.1:3999"));
    }

    #[test]
    fn a_name_can_be_added() {
        let hosts = hosts("127.0.0.1").allow("Games.Example").allow("192.168.1.5");
        for name in ["games.example", "GAMES.example.:8443", "192.168.1.5:3999"] {
            assert!(hosts.has(name), "{name}");
        }
        assert!(!hosts.has("other.games.example") && !hosts.has("192.168.1.6"));
    }

    #[test]
    fn an_origin_is_this_server_or_an_added_proxy() {
        let hosts = hosts("127.0.0.1").allow("games.example");
        let here = Some("localhost:3999");
        for origin in ["http://localhost:3999", "http://LOCALHOST:3999", "https://games.example"] {
            assert!(hosts.trusts(origin, here), "{origin}");
        }
        for origin in
            ["null", "", "http://localhost:8000", "http://evil.example", "http://127.0.0.1:3999", "localhost:3999"]
        {
            assert!(!hosts.trusts(origin, here), "{origin}");
        }
        assert!(!hosts.trusts("http://localhost:3999", None));
    }
}
