internal import Gatebook
internal import GatebookSystem

/// A file that holds one secret, such as a client's secret or its private key.
enum SecretFile {
  private static let limit = 65_536

  /// Reads the whole secret; one line end at its end is not part of it.
  ///
  /// - Parameters:
  ///   - path: A file that only its owner can read, or a pipe such as `/dev/fd/3`.
  ///   - option: Its option.
  /// - Returns: At least one byte of UTF-8, without NUL.
  /// - Throws: `configuration.invalid` when there is none, or others may read it.
  static func read(_ path: String, _ option: CommandOption) throws(GatebookError) -> Secret {
    let file = try PrivateFile.open(path) { failure($0, option, $1) }
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

/// The file that GATEBOOK_PASSPHRASE_FILE names; its first line is the passphrase.
enum PassphraseFile {
  /// Reads the passphrase.
  ///
  /// - Parameter path: A file that only its owner can read, or a pipe such as `/dev/fd/3`.
  /// - Returns: At least one byte of UTF-8, without NUL.
  /// - Throws: `key.missing` when there is no such file or others may read it.
  static func read(_ path: String) throws(GatebookError) -> Secret {
    let file = try PrivateFile.open(path, failure)
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

/// Files with secrets: nobody but their owner may read them.
enum PrivateFile {
  /// Opens a file that nobody else can read, or a pipe.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - failure: Says that the file is not used: why, and the system's reason.
  /// - Returns: The open file.
  /// - Throws: What `failure` makes.
  static func open(
    _ path: String, _ failure: (String, SystemError?) -> GatebookError
  ) throws(GatebookError) -> OpenFile {
    guard let file = OpenFile.open(path, .read) else { throw failure("cannot be opened", .last) }
    if let fault = fault(of: file.descriptor) { throw failure(fault, nil) }
    return file
  }

  /// Why an open file is not used; `nil` when it is as it should be.
  ///
  /// A pipe has no name under which others could open it; a file has, and its mode says who may.
  private static func fault(of descriptor: Int32) -> String? {
    guard let status = FileStatus(descriptor) else { return "cannot be read" }
    guard status.isRegular else { return nil }
    guard !status.isOpenToOthers else { return "can be read by others" }
    guard status.isOwn || status.isOfRoot else { return "belongs to somebody else" }
    return nil
  }
}
