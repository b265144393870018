internal import Gatebook
internal import GatebookSystem

/// The file that GATEBOOK_PASSPHRASE_FILE names; its first line is the passphrase.
enum PassphraseFile {
  /// Reads the passphrase.
  ///
  /// - Parameter path: A file that only its owner can read, or a pipe such as `/dev/fd/3`.
  /// - Returns: At least one byte of UTF-8, without NUL.
  /// - Throws: `key.missing` when there is no such file or others may read it.
  static func read(_ path: String) throws(GatebookError) -> Secret {
    guard let file = OpenFile.open(path, .read) else { throw failure("cannot be opened", .last) }
    if let fault = PrivateFile.fault(of: file.descriptor) { throw failure(fault) }
    let line: [UInt8]
    do throws(InputLine.Failure) {
      line = try InputLine.read(from: file.descriptor, interruption: nil)
    } catch {
      throw failure("has no first line that can be read")
    }
    guard !line.isEmpty, !line.contains(0), let text = String(validating: line, as: UTF8.self)
    else { throw failure("does not begin with a line of text") }
    return Secret(text)
  }

  private static func failure(_ what: String, _ error: SystemError? = nil) -> GatebookError {
    GatebookError(
      .keyMissing, "The file named by GATEBOOK_PASSPHRASE_FILE \(what).",
      remedy: "Put only the passphrase into a file of mode 0600 that belongs to you.",
      cause: error?.text)
  }
}
