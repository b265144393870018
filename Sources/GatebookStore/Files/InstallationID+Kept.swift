package import GatebookCrypto
package import GatebookEvents
internal import GatebookSystem

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
    guard let file = OpenFile.open(draft, .new) else { throw unkept(path, .last) }
    defer { Files.remove(draft) }
    guard file.write(Array("\(fresh)\n".utf8)), file.sync() else { throw unkept(path, .last) }
    // File systems without links, such as those of memory sticks, can still rename.
    guard
      Files.link(draft, to: path) || SystemError.last == .exists || Files.rename(draft, to: path)
    else {
      throw unkept(path, .last)
    }
    return try read(path) ?? fresh
  }

  private static func read(_ path: String) throws(GatebookError) -> InstallationID? {
    guard let file = OpenFile.open(path, .readAtOnce) else {
      guard SystemError.last != .missing else { return nil }
      throw unkept(path, .last)
    }
    let text = String(decoding: file.read(atMost: 34) ?? [], as: UTF8.self)
    guard let kept = InstallationID(String(text.prefix { $0 != "\n" })) else {
      throw GatebookError(
        .storageDamaged, "The file does not hold the identity of an installation: \(path)",
        kept: "Nothing was changed.",
        remedy:
          "Restore the file from a copy, or remove it: then the app counts as a new installation.")
    }
    return kept
  }

  private static func unkept(_ path: String, _ error: SystemError) -> GatebookError {
    AppFolder.failure("The identity of this installation cannot be read or kept: \(path)", error)
  }
}
