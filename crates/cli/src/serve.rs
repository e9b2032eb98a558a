//! `ninefold serve`: serves the page, on this machine unless another address is given.

use crate::failure::Failure;
use crate::output::Output;
use std::net::{IpAddr, Ipv4Addr};

/// Arguments of `serve`.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Address to listen on; anything but a loopback address lets other machines in
    #[arg(long, default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    host: IpAddr,
    /// Port; 0 chooses a free one
    #[arg(long, default_value_t = 3999)]
    port: u16,
}

/// Serves until interrupted.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut output = Output::new();
    tokio::runtime::Runtime::new()?.block_on(async {
        let wanted = (arguments.host, arguments.port);
        let listener = tokio::net::TcpListener::bind(wanted).await.map_err(|error| {
            Failure::Run(format!("cannot listen on {} port {}: {error}; try --port 0", arguments.host, arguments.port))
        })?;
        let address = listener.local_addr()?;
        let stop = asked_to_stop()?;
        if !arguments.host.is_loopback() {
            eprintln!("warning: {address} can be reached from other machines");
        }
        output.line(format_args!("Ninefold is at http://{address}/ (Ctrl-C stops it)"))?;
        Ok(server::serve(listener, server::Limits::default(), stop).await?)
    })
}

/// Waits for Ctrl-C or SIGTERM. Both handlers are installed at the call, not at the first await.
#[cfg(unix)]
fn asked_to_stop() -> std::io::Result<impl Future<Output = ()>> {
    use tokio::signal::unix::{SignalKind, signal};
    let (mut interrupted, mut terminated) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    Ok(async move {
        tokio::select! {
            _ = interrupted.recv() => {}
            _ = terminated.recv() => {}
        }
    })
}

/// Waits for Ctrl-C.
#[cfg(not(unix))]
fn asked_to_stop() -> std::io::Result<impl Future<Output = ()>> {
    Ok(async {
        // Without a handler, wait forever: Ctrl-C then ends the process in the ordinary way.
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    })
}
