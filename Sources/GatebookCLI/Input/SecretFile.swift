internal import Gatebook
internal import GatebookSystem

/// A file that holds one secret, such as a client's secret or its private key.
enum SecretFile {
  private static let limit = 65_536

  /// Reads the whole secret; one line end at its end is not part of it.
  ///
  /// - Parameters:
  ///   - path: A file that only its owner can read, or a pipe such as `/dev/fd/3`.
  ///   - option: The option it stands at.
  /// - Returns: At least one byte of UTF-8, without NUL.
  /// - Throws: `configuration.invalid` when there is none, or others may read it.
  static func read(_ path: String, _ option: CommandOption) throws(GatebookError) -> Secret {
    guard let file = OpenFile.open(path, .read) else {
      throw failure("cannot be opened", option, .last)
    }
    if let fault = PrivateFile.fault(of: file.descriptor) { throw failure(fault, option) }
    guard var content = file.readToEnd(limit: limit) else {
      throw failure("cannot be read", option, .last)
    }
    guard content.count <= limit else { throw failure("is larger than 64 KiB", option) }
    if content.last == UInt8(ascii: "\n") { content.removeLast() }
    if content.last == UInt8(ascii: "\r") { content.removeLast() }
    guard !content.isEmpty, !content.contains(0), String(validating: content, as: UTF8.self) != nil
    else { throw failure("is empty or not text", option) }
    return Secret(content)
  }

  private static func failure(
    _ what: String, _ option: CommandOption, _ error: SystemError? = nil
  ) -> GatebookError {
    GatebookError(
      .configurationInvalid, "The file of `\(option.name)` \(what).",
      remedy: "Put only the secret into a file of mode 0600 that belongs to you.",
      cause: error?.text)
  }
}
