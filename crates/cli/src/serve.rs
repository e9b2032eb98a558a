//! `ninefold serve`: serves the page, on this machine unless another address is given.

use crate::failure::Failure;
use crate::interrupt;
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

/// Serves until a signal. Answers in progress are finished first, and the exit code is 0.
pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let mut output = Output::new();
    tokio::runtime::Runtime::new()?.block_on(async {
        let wanted = (arguments.host, arguments.port);
        let listener = tokio::net::TcpListener::bind(wanted).await.map_err(|error| {
            Failure::Run(format!("cannot listen on {} port {}: {error}; try --port 0", arguments.host, arguments.port))
        })?;
        let address = listener.local_addr()?;
        let stop = asked_to_stop();
        if !arguments.host.is_loopback() {
            eprintln!("warning: {address} can be reached from other machines");
        }
        output.line(format_args!("Ninefold is at http://{address}/ (Ctrl-C stops it)"))?;
        Ok(server::serve(listener, server::Limits::default(), stop).await?)
    })
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
