internal import Gatebook
internal import GatebookSystem

/// A file that holds one secret, which nobody but its owner may read, or a pipe such as
/// `/dev/fd/3`.
struct SecretFile {
  /// What errors call it.
  private let name: String
  /// What it holds.
  private let content: String
  private let code: FailureCode

  /// Reads a whole file, such as a client's secret or its private key; one line end at its end is
  /// not part of it.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - option: Its option.
  /// - Returns: At least one byte of UTF-8, without NUL.
  /// - Throws: `configuration.invalid` when there is none, or others may read it.
  static func read(_ path: String, _ option: CommandOption) throws(GatebookError) -> Secret {
    let kind = SecretFile(
      name: "of `\(option.name)`", content: "secret", code: .configurationInvalid)
    let limit = InputLine.limit
    guard var content = try kind.open(path).readToEnd(limit: limit) else {
      throw kind.failure("cannot be read", .last)
    }
    guard content.count <= limit else { throw kind.failure("is larger than 64 KiB") }
    if content.last == UInt8(ascii: "\n") { content.removeLast() }
    if content.last == UInt8(ascii: "\r") { content.removeLast() }
    return try kind.secret(content, else: "is empty or not text")
  }

  /// Reads the passphrase of a book, the first line of the file that GATEBOOK_PASSPHRASE_FILE
  /// names.
  ///
  /// - Parameter path: The file.
  /// - Returns: At least one byte of UTF-8, without NUL.
  /// - Throws: `key.missing` when there is no such file or others may read it.
  static func passphrase(_ path: String) throws(GatebookError) -> Secret {
    let kind = SecretFile(
      name: "named by GATEBOOK_PASSPHRASE_FILE", content: "passphrase", code: .keyMissing)
    let file = try kind.open(path)
    let line: [UInt8]
    do throws(InputLine.Failure) {
      line = try InputLine.read(from: file.descriptor, interruption: nil)
    } catch {
      throw kind.failure("has no first line that can be read")
    }
    return try kind.secret(line, else: "does not begin with a line of text")
  }

  private func open(_ path: String) throws(GatebookError) -> OpenFile {
    guard let file = OpenFile.open(path, .read) else { throw failure("cannot be opened", .last) }
    guard let status = file.status else { throw failure("cannot be read") }
    // A pipe has no name under which others could open it; a file has, and its mode says who may.
    guard status.isRegular else { return file }
    guard !status.isOpenToOthers else { throw failure("can be read by others") }
    guard status.isOwn || status.isOfRoot else { throw failure("belongs to somebody else") }
    return file
  }

  private func secret(_ bytes: [UInt8], else what: String) throws(GatebookError) -> Secret {
    guard let text = try? InputLine.text(bytes) else { throw failure(what) }
    return Secret(text)
  }

  private func failure(_ what: String, _ error: SystemError? = nil) -> GatebookError {
    GatebookError(
      code, "The file \(name) \(what).",
      remedy: "Put only the \(content) into a file of mode 0600 that belongs to you.",
      cause: error?.text)
  }
}
