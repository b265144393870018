internal import Gatebook
internal import Glibc

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
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard descriptor >= 0 else { throw failure("cannot be opened", option, errno) }
    defer { close(descriptor) }
    if let fault = PrivateFile.fault(of: descriptor) { throw failure(fault, option) }
    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4_096)
    while content.count <= limit {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("cannot be read", option, errno) }
      guard count > 0 else { break }
      content += chunk[..<count]
    }
    guard content.count <= limit else { throw failure("is larger than 64 KiB", option) }
    if content.last == UInt8(ascii: "\n") { content.removeLast() }
    if content.last == UInt8(ascii: "\r") { content.removeLast() }
    guard !content.isEmpty, !content.contains(0), String(validating: content, as: UTF8.self) != nil
    else { throw failure("is empty or not text", option) }
    return Secret(content)
  }

  private static func failure(
    _ what: String, _ option: CommandOption, _ code: Int32? = nil
  ) -> GatebookError {
    GatebookError(
      .configurationInvalid, "The file of `\(option.name)` \(what).",
      remedy: "Put only the secret into a file of mode 0600 that belongs to you.",
      cause: code.map { String(cString: strerror($0)) })
  }
}
