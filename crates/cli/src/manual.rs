//! `ninefold completions` and `ninefold man`: both are generated from the arguments, so they are always up to date.

use crate::failure::Failure;
use clap_complete::Shell;
use clap_mangen::Man;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Arguments of `completions`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ninefold completions bash > ~/.local/share/bash-completion/completions/ninefold
  ninefold completions zsh > ~/.zfunc/_ninefold
  ninefold completions fish > ~/.config/fish/completions/ninefold.fish")]
pub(crate) struct CompletionArguments {
    /// The shell
    shell: Shell,
}

/// Arguments of `man`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  ninefold man | man -l -
  ninefold man --folder man1     one page per command")]
pub(crate) struct ManArguments {
    /// Write one page per command into this folder; without it, print the main page
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

pub(crate) fn completions(arguments: &CompletionArguments) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut crate::command(), "ninefold", &mut script);
    Ok(std::io::stdout().write_all(&script)?)
}

pub(crate) fn man(arguments: &ManArguments) -> Result<(), Failure> {
    let command = crate::command();
    let Some(folder) = &arguments.folder else {
        let mut page = Vec::new();
        Man::new(command).render(&mut page)?;
        return Ok(std::io::stdout().write_all(&page)?);
    };
    let failed = |error: std::io::Error| Failure::Run(format!("{}: {error}", folder.display()));
    std::fs::create_dir_all(folder).map_err(failed)?;
    write_pages(command.disable_help_subcommand(true), folder)
}

/// Writes the page of a command and those of its subcommands.
fn write_pages(mut command: clap::Command, folder: &Path) -> Result<(), Failure> {
    // Gives every subcommand the names of the commands above it.
    command.build();
    let mut waiting = vec![command];
    while let Some(command) = waiting.pop() {
        waiting.extend(command.get_subcommands().filter(|it| !it.is_hide_set()).cloned());
        let man = Man::new(command);
        let mut page = Vec::new();
        man.render(&mut page)?;
        api::files::write(&folder.join(man.get_filename()), &page)?;
    }
    Ok(())
}
