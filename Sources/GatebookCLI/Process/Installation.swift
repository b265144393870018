internal import Gatebook
internal import Glibc

/// The identity of this installation: the same for all runs of one user on one machine.
enum Installation {
  /// Reads the identity, or makes it at the first use.
  ///
  /// - Parameter folder: `$XDG_CONFIG_HOME/gatebook`; `nil` when it is not known where that is.
  /// - Returns: 16 random bytes, the same each time; new ones each time where they cannot be kept.
  static func identity(in folder: String?) -> InstallationID {
    let fresh = InstallationID(random: SystemRandom())
    guard let folder else { return fresh }
    let path = "\(folder)/installation"
    if let kept = read(path) { return kept }
    Folders.make(above: path)
    // Two first runs at once must agree: the one that cannot make the file reads the other's.
    let draft = "\(path).\(getpid())"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return fresh }
    let text = Array("\(fresh)\n".utf8)
    let isWritten = write(descriptor, text, text.count) == text.count && fsync(descriptor) == 0
    close(descriptor)
    if isWritten { link(draft, path) }
    unlink(draft)
    return read(path) ?? fresh
  }

  private static func read(_ path: String) -> InstallationID? {
    guard let text = try? TextFile.read(path, what: "installation") else { return nil }
    return InstallationID(String(text.prefix { $0 != "\n" }))
  }
}
