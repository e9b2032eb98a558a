//! Writes files: every file that the workspace replaces goes through here.
//!
//! | the path is | what happens |
//! |---|---|
//! | a regular file, or nothing yet | temporary file in the same folder, fsync, rename, fsync of the folder |
//! | a symbolic link | the same for its target; the link stays. A dangling link gets its target |
//! | a device, a FIFO, `/dev/stdout`, `/dev/fd/N` | written in place, in order |
//!
//! So a regular file is complete or absent, and an older one stays until the new one is complete. An existing file keeps its
//! permissions.
//!
//! The temporary name is `NAME.PID.tmp`. A process that was killed leaves it behind; the next write of the same `NAME` removes
//! such files of processes that have ended.

use super::StoreError;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Writes a file by `body`, whole or not at all; devices and pipes in place.
///
/// # Errors
/// Any error of `body` or of the system. An older regular file then stays unchanged.
pub fn write_plain(path: &Path, body: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<(), StoreError> {
    write(path, |file, _| {
        let mut out = BufWriter::new(file);
        body(&mut out)?;
        out.flush()
    })
}

/// The temporary files that dead processes have left in a folder, in the order of their names.
#[must_use]
pub fn leftovers(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries
        .filter(|entry| process_of(&entry.file_name()).is_some_and(|(_, process)| !is_alive(process)))
        .map(|entry| entry.path())
        .collect();
    found.sort();
    found
}

/// How a file is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Under a temporary name: the writer may seek.
    Replaced,
    /// As it comes: a pipe cannot seek.
    InPlace,
}

/// Opens what `path` stands for, passes it to `fill`, and puts a regular file in its place.
pub(super) fn write(path: &Path, fill: impl FnOnce(&File, Way) -> io::Result<()>) -> Result<(), StoreError> {
    let written = destination(path).and_then(|(target, way)| match way {
        Way::Replaced => replace(&target, fill),
        Way::InPlace => open_in_place(&target).and_then(|file| fill(&file, way)),
    });
    written.map_err(|source| StoreError::io(path, source))
}

/// A nameless file for intermediate data, in this folder. It vanishes with its last handle.
pub(crate) fn scratch(folder: &Path) -> io::Result<File> {
    static NUMBER: AtomicU64 = AtomicU64::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let path = folder.join(format!(".ninefold-{number}.{}.tmp", std::process::id()));
    // A file of this name is a leftover of an earlier process with the same number.
    let _ = fs::remove_file(&path);
    let file = private().read(true).open(&path)?;
    fs::remove_file(&path)?;
    Ok(file)
}

/// The folder in which a file can be prepared: that of the file if it is replaced, else the one for temporary files.
pub(crate) fn workshop(path: &Path) -> PathBuf {
    match destination(path) {
        Ok((target, Way::Replaced)) => folder_of(&target).to_owned(),
        _ => std::env::temp_dir(),
    }
}

/// A path with more links than this is a loop.
const MOST_LINKS: usize = 40;

/// What is written for a path, and how. Nothing is opened: that would tell the reader of a pipe that a writer is there.
fn destination(path: &Path) -> io::Result<(PathBuf, Way)> {
    let mut target = path.to_owned();
    for _ in 0..MOST_LINKS {
        if descriptor(&target).is_some() {
            return Ok((target, Way::InPlace));
        }
        let Ok(next) = fs::read_link(&target) else {
            return match fs::metadata(&target) {
                Ok(data) if data.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
                Ok(data) if !data.is_file() => Ok((target, Way::InPlace)),
                _ => Ok((target, Way::Replaced)),
            };
        };
        target = folder_of(&target).join(next);
    }
    Err(io::Error::other("too many symbolic links"))
}

/// An open file by its number, as in `/dev/fd/N` or `/proc/PID/fd/N`.
struct Descriptor {
    number: u32,
    /// Whether this process has opened it.
    is_own: bool,
}

/// The descriptor that a path names. `/dev/stdout` is a link to such a path.
fn descriptor(path: &Path) -> Option<Descriptor> {
    let number = path.file_name()?.to_str()?.parse().ok()?;
    let folder = fs::canonicalize(folder_of(path)).ok()?;
    let own = Path::new("/proc").join(std::process::id().to_string()).join("fd");
    let is_own = folder == own || folder == Path::new("/dev/fd");
    (is_own || folder.starts_with("/proc") && folder.ends_with("fd")).then_some(Descriptor { number, is_own })
}

fn open_in_place(path: &Path) -> io::Result<File> {
    match descriptor(path) {
        // A copy of the descriptor shares its place in the file, and works for sockets too.
        #[cfg(unix)]
        Some(Descriptor { number: 1, is_own: true }) => copy_of(&io::stdout()),
        #[cfg(unix)]
        Some(Descriptor { number: 2, is_own: true }) => copy_of(&io::stderr()),
        // It may be a regular file that somebody else has opened: its earlier content stays.
        Some(_) => OpenOptions::new().append(true).open(path),
        None => OpenOptions::new().write(true).open(path),
    }
}

#[cfg(unix)]
fn copy_of(stream: &impl std::os::fd::AsFd) -> io::Result<File> {
    stream.as_fd().try_clone_to_owned().map(File::from)
}

fn folder_of(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

fn replace(target: &Path, fill: impl FnOnce(&File, Way) -> io::Result<()>) -> io::Result<()> {
    let name = target.file_name().ok_or(io::ErrorKind::IsADirectory)?;
    sweep(folder_of(target), name);
    let temporary = Temporary::new(target, name)?;
    let before = fs::metadata(target).ok().map(|data| data.permissions());
    // With the permissions of another file to come, the content is nobody else's business until then.
    let file = if before.is_some() { private() } else { new_file() }.open(&temporary.path)?;
    fill(&file, Way::Replaced)?;
    if let Some(permissions) = before {
        file.set_permissions(permissions)?;
    }
    file.sync_all()?;
    fs::rename(&temporary.path, target)?;
    // The file is whole even if the folder cannot be flushed, which some file systems refuse.
    #[cfg(unix)]
    let _ = File::open(folder_of(target)).and_then(|folder| folder.sync_all());
    Ok(())
}

fn new_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    options
}

/// A new file for this user alone.
fn private() -> OpenOptions {
    #[cfg_attr(not(unix), allow(unused_mut, reason = "there are no modes"))]
    let mut options = new_file();
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

/// A temporary name of this process. Dropping it removes the file, if it still has this name.
struct Temporary {
    path: PathBuf,
}

/// The temporary names in use.
static IN_USE: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

impl Temporary {
    fn new(target: &Path, name: &OsStr) -> io::Result<Self> {
        let mut temporary = name.to_owned();
        temporary.push(format!(".{}.tmp", std::process::id()));
        let path = target.with_file_name(temporary);
        if !IN_USE.lock().unwrap_or_else(PoisonError::into_inner).insert(path.clone()) {
            return Err(io::Error::new(io::ErrorKind::ResourceBusy, "this program is writing the file already"));
        }
        // Not ours: an earlier process had the same number.
        let _ = fs::remove_file(&path);
        Ok(Self { path })
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        // After the rename there is nothing to remove; after an error, that error is the one to report.
        let _ = fs::remove_file(&self.path);
        IN_USE.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.path);
    }
}

/// Removes what dead processes have left of this name.
fn sweep(folder: &Path, name: &OsStr) {
    for path in leftovers(folder) {
        if path.file_name().and_then(process_of).is_some_and(|(of, _)| of == name) {
            // Whoever may not remove it may still write the file.
            let _ = fs::remove_file(path);
        }
    }
}

/// The parts of `NAME.PID.tmp`.
fn process_of(name: &OsStr) -> Option<(OsString, u32)> {
    // Names that are not UTF-8 are left alone.
    let (rest, process) = name.to_str()?.strip_suffix(".tmp")?.rsplit_once('.')?;
    let is_number = process.bytes().all(|byte| byte.is_ascii_digit());
    (is_number && !rest.is_empty()).then_some((rest.into(), process.parse().ok()?))
}

/// Whether a process is running; true where the system does not say.
fn is_alive(process: u32) -> bool {
    let processes = Path::new("/proc");
    !processes.join("self").exists() || processes.join(process.to_string()).exists()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};

    /// A folder that is removed at the end.
    struct Folder(PathBuf);

    impl Folder {
        fn new(name: &str) -> Self {
            let path = std::env::temp_dir().join(format!("ninefold-write-{}-{name}", std::process::id()));
            fs::create_dir_all(&path).unwrap();
            Self(path)
        }

        fn path(&self, name: &str) -> PathBuf {
            self.0.join(name)
        }

        fn names(&self) -> Vec<String> {
            let mut names: Vec<String> =
                fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
            names.sort();
            names
        }
    }

    impl Drop for Folder {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn text(path: &Path, text: &str) -> Result<(), StoreError> {
        write_plain(path, |out| out.write_all(text.as_bytes()))
    }

    #[test]
    fn a_link_is_followed_and_stays() {
        let folder = Folder::new("link");
        fs::create_dir(folder.path("disk")).unwrap();
        let (link, target) = (folder.path("link"), folder.path("disk/target"));
        // Relative, and through a second link; at first it dangles.
        symlink("second", &link).unwrap();
        symlink("disk/target", folder.path("second")).unwrap();
        for content in ["new", "newer"] {
            text(&link, content).unwrap();
            assert_eq!(fs::read_to_string(&target).unwrap(), content);
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            assert_eq!(fs::read_dir(folder.path("disk")).unwrap().count(), 1, "no temporary file is left");
        }
        symlink("loop", folder.path("loop")).unwrap();
        let refused = text(&folder.path("loop"), "").unwrap_err().to_string();
        assert!(refused.contains("too many symbolic links"), "{refused}");
    }

    #[test]
    fn permissions_stay() {
        let folder = Folder::new("mode");
        let path = folder.path("file");
        text(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        text(&path, "new").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
    }

    #[test]
    fn a_pipe_and_a_device_are_written_in_place() {
        let folder = Folder::new("pipe");
        let path = folder.path("pipe");
        assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
        let reader = std::thread::spawn({
            let path = path.clone();
            move || fs::read(path).unwrap()
        });
        const KIND: super::super::Kind =
            super::super::Kind { name: *b"nf-pipe ", words: "file of the test", version: 1 };
        super::super::write_whole(&path, KIND, |out| out.write_all(b"nine cells")).unwrap();
        let bytes = reader.join().unwrap();
        assert_eq!(super::super::open(&path, KIND, &bytes, true).unwrap(), b"nine cells", "sealed on a pipe too");
        assert!(fs::symlink_metadata(&path).unwrap().file_type().is_fifo());
        // A broken program may have replaced a device by a file; that is not for this test to find.
        let is_device = |path: &str| fs::metadata(path).is_ok_and(|data| data.file_type().is_char_device());
        for device in ["/dev/zero", "/dev/null", "/dev/full"].into_iter().filter(|path| is_device(path)) {
            assert_eq!(text(Path::new(device), "gone").is_ok(), device != "/dev/full");
            assert!(is_device(device), "{device} stays");
        }
        let refused = text(&folder.0, "").unwrap_err().to_string();
        assert!(refused.contains("is a directory"), "{refused}");
    }

    #[test]
    fn what_dead_processes_have_left_is_removed() {
        let folder = Folder::new("left");
        // One more than the largest number that Linux gives to a process.
        let dead = 4_194_305;
        let (alive, own) = (std::os::unix::process::parent_id(), std::process::id());
        let names = [
            format!("file.{dead}.tmp"),
            format!("file.{alive}.tmp"),
            format!("file.{own}.tmp"),
            format!("other.{dead}.tmp"),
            "file.tmp".to_owned(),
            "file.12x.tmp".to_owned(),
        ];
        names.iter().for_each(|name| fs::write(folder.path(name), "half").unwrap());
        assert_eq!(leftovers(&folder.0), [folder.path(&names[0]), folder.path(&names[3])]);
        text(&folder.path("file"), "whole").unwrap();
        let mut left = vec!["file".to_owned(), names[1].clone(), names[3].clone(), names[4].clone(), names[5].clone()];
        left.sort();
        assert_eq!(folder.names(), left);
    }

    #[test]
    fn two_writers_of_one_file_do_not_mix() {
        let folder = Folder::new("two");
        let path = folder.path("file");
        write_plain(&path, |out| {
            let second = text(&path, "second").unwrap_err().to_string();
            assert!(second.contains("is writing the file already"), "{second}");
            out.write_all(b"first")
        })
        .unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "first");
        text(&path, "third").unwrap();
        assert_eq!(folder.names(), ["file"]);
    }
}
