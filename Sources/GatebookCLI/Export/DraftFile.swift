internal import Gatebook
internal import Glibc

/// A file that stands at its place only when it is whole.
///
/// It is written beside it first: what is interrupted, or has no room, leaves what was there.
final class DraftFile: ByteSink {
  private let place: String
  private let draft: String
  private let descriptor: Int32
  private var isFinished = false

  /// Begins a file.
  ///
  /// - Parameter path: Its place; a symbolic link stays, and what it names is written.
  /// - Throws: `configuration.invalid` where nothing can be written, or no regular file stands.
  init(_ path: String) throws(GatebookError) {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw GatebookError(
        .configurationInvalid, "That is no regular file: \(path)",
        kept: "Nothing was written.", remedy: "Choose another place, or leave out `-o`.")
    }
    if let resolved = realpath(path, nil) {
      place = String(cString: resolved)
      free(resolved)
    } else {
      place = path
    }
    draft = "\(place).\(getpid()).part"
    descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw TextFile.unwritable(errno) }
  }

  deinit {
    close(descriptor)
    if !isFinished { unlink(draft) }
  }

  func write(_ bytes: [UInt8]) throws(GatebookError) -> Bool {
    guard TextFile.writeAll(bytes, descriptor) else { throw TextFile.unwritable(errno) }
    return true
  }

  /// Puts the whole file at its place.
  func finish() throws(GatebookError) {
    guard fsync(descriptor) == 0, rename(draft, place) == 0 else {
      throw TextFile.unwritable(errno)
    }
    isFinished = true
  }
}
