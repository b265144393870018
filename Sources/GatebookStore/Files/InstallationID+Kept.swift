package import GatebookCrypto
package import GatebookEvents
internal import Glibc

extension InstallationID {
  /// The identity in a file, which is made if it is missing.
  ///
  /// Two first runs at once agree: the one that comes second reads what the first has written.
  ///
  /// - Parameters:
  ///   - path: The file, in a folder that exists: 32 hexadecimal digits and a line feed.
  ///   - random: Where the bytes of a new one come from.
  /// - Returns: The identity, the same each time.
  /// - Throws: `storage.full`, or `storage.readOnly` if it cannot be kept; `storage.damaged` if the
  ///   file holds something else.
  package static func kept(
    at path: String, random: any RandomSource
  ) throws(GatebookError) -> InstallationID {
    if let kept = try read(path) { return kept }
    guard let fresh = InstallationID(bytes: random.bytes(16)) else { throw .noRandomness }
    // Named by what is in it: no other process or task writes the same file.
    let draft = "\(path).\(fresh)"
    let descriptor = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw unkept(path, errno) }
    let text = Array("\(fresh)\n".utf8)
    let isWritten = write(descriptor, text, text.count) == text.count && fsync(descriptor) == 0
    let number = errno
    close(descriptor)
    defer { unlink(draft) }
    guard isWritten else { throw unkept(path, number) }
    // File systems without links, such as those of memory sticks, can still rename.
    guard link(draft, path) == 0 || errno == EEXIST || rename(draft, path) == 0 else {
      throw unkept(path, errno)
    }
    return try read(path) ?? fresh
  }

  private static func read(_ path: String) throws(GatebookError) -> InstallationID? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else {
      guard errno != ENOENT else { return nil }
      throw unkept(path, errno)
    }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 34)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    let text = String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
    guard let kept = InstallationID(String(text.prefix { $0 != "\n" })) else {
      throw GatebookError(
        .storageDamaged, "The file does not hold the identity of an installation: \(path)",
        kept: "Nothing was changed.",
        remedy:
          "Restore the file from a copy, or remove it: then the app counts as a new installation.")
    }
    return kept
  }

  private static func unkept(_ path: String, _ number: Int32) -> GatebookError {
    AppFolder.failure("The identity of this installation cannot be read or kept: \(path)", number)
  }
}
