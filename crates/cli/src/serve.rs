//! `ninefold serve`: serves the page, on this machine unless another address is given.

use crate::cache;
use crate::failure::Failure;
use crate::interrupt;
use crate::output::Output;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

/// Arguments of `serve`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Address to listen on; anything but a loopback address lets other machines in
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    /// Also answer requests for this host name, such as the name of a proxy; may be repeated
    #[arg(long, value_name = "NAME", value_parser = host_name)]
    allow_host: Vec<String>,
    /// Port; 0 chooses a free one
    #[arg(long, default_value_t = 3999)]
    port: u16,
}

/// Serves until a signal. Answers in progress are finished first, and the exit code is 0.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut output = Output::new();
    // Not the default number of threads: an environment variable that is wrong would end the program there.
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    tokio::runtime::Builder::new_multi_thread().worker_threads(threads).enable_all().build()?.block_on(async {
        let wanted = (arguments.host, arguments.port);
        let listener = tokio::net::TcpListener::bind(wanted).await.map_err(|error| {
            Failure::Run(format!("cannot listen on {} port {}: {error}; try --port 0", arguments.host, arguments.port))
        })?;
        let address = listener.local_addr()?;
        let stop = asked_to_stop();
        if !arguments.host.is_loopback() {
            crate::output::note(format_args!("warning: {address} can be reached from other machines"));
        }
        let machine = machine_name();
        let (here, port) = (local(address), address.port());
        match &machine {
            // Other machines cannot use "any address"; they can use the name of this one.
            Some(name) if address.ip().is_unspecified() => output.line(format_args!(
                "Ninefold is at http://{here}/, on other machines at http://{name}:{port}/ (Ctrl-C stops it)"
            ))?,
            _ => output.line(format_args!("Ninefold is at http://{here}/ (Ctrl-C stops it)"))?,
        }
        let hosts = server::Hosts::new(address.ip(), machine.as_deref());
        let hosts = arguments.allow_host.iter().fold(hosts, |hosts, name| hosts.allow(name));
        let limits = server::Limits { kept: cache::advice(), ..server::Limits::default() };
        Ok(server::serve(listener, limits, hosts, stop).await?)
    })
}

/// The address as this machine reaches it: "any address" includes the loopback address.
fn local(address: SocketAddr) -> SocketAddr {
    match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => SocketAddr::new(Ipv4Addr::LOCALHOST.into(), address.port()),
        IpAddr::V6(ip) if ip.is_unspecified() => SocketAddr::new(Ipv6Addr::LOCALHOST.into(), address.port()),
        _ => address,
    }
}

/// Done at the first signal. The handlers are installed at the call, not at the first await.
fn asked_to_stop() -> impl Future<Output = ()> {
    let (sender, receiver) = tokio::sync::oneshot::channel();
    interrupt::on_first(move || {
        // Fails only if the server has ended.
        let _ = sender.send(());
    });
    async {
        // Never an error: the sender is dropped only after it has sent.
        let _ = receiver.await;
    }
}

/// A name or an address, without a scheme, port or path.
fn host_name(text: &str) -> Result<String, String> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || ['-', '_', '.'].contains(&c);
    let is_address = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'))
        .is_some_and(|text| text.parse::<Ipv6Addr>().is_ok());
    if is_address || (!text.is_empty() && text.chars().all(is_plain)) {
        return Ok(text.to_owned());
    }
    Err("expected a host name without a port, such as games.example or [fd00::1]".to_owned())
}

#[cfg(unix)]
fn machine_name() -> Option<String> {
    Some(rustix::system::uname().nodename().to_str().ok()?.to_owned())
}

#[cfg(not(unix))]
fn machine_name() -> Option<String> {
    std::env::var("COMPUTERNAME").ok()
}
