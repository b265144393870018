internal import Gatebook
internal import GatebookSystem

/// Small files that are named on the command line.
enum TextFile {
  private static let limit = 1 << 20

  /// Reads a file of at most 1 MiB.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - what: What it should hold, for the error.
  /// - Returns: Its text.
  /// - Throws: `configuration.invalid` when it cannot be read, or is not UTF-8.
  static func read(_ path: String, what: String) throws(GatebookError) -> String {
    guard let text = String(validating: try bytes(path, what: what, limit: limit), as: UTF8.self)
    else {
      throw GatebookError(
        .configurationInvalid, "The \(what) is not UTF-8 text.", remedy: "Check the path.")
    }
    return text
  }

  /// Reads a checkpoint; `nil` where no file is named.
  static func checkpoint(_ path: String?) throws(GatebookError) -> String? {
    guard let path else { return nil }
    return try read(path, what: "checkpoint")
  }

  /// Reads a whole file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - what: What it should hold, for the error.
  ///   - limit: The most bytes it may have.
  /// - Returns: Its bytes.
  /// - Throws: `configuration.invalid` when it cannot be read, `limit.exceeded`.
  static func bytes(
    _ path: String, what: String, limit: Int
  ) throws(GatebookError) -> [UInt8] {
    guard let content = OpenFile.open(path, .read)?.readToEnd(limit: limit) else {
      throw unreadable(what, .last)
    }
    guard content.count <= limit else {
      throw GatebookError(
        .limitExceeded, "The \(what) is larger than \(limit >> 20) MiB.",
        remedy: "Give a smaller one.")
    }
    return content
  }

  private static func unreadable(_ what: String, _ error: SystemError) -> GatebookError {
    GatebookError(
      .configurationInvalid, "The \(what) could not be read.",
      remedy: "Check the path and its permissions.", cause: error.text)
  }

  /// Writes a new file, or into an existing pipe or device.
  ///
  /// A regular file is written beside its place first, so that a failure leaves what was there. A
  /// symbolic link stays, and what it names is written.
  static func write(_ bytes: [UInt8], to path: String) throws(GatebookError) {
    let file = try OutputFile.open(path)
    try file.write(bytes)
    try file.finish()
  }

  /// Where a regular file is put in place; `nil` where that would replace something else.
  static func regularPlace(_ path: String) throws(GatebookError) -> String? {
    guard let status = FileStatus(of: path) else {
      guard SystemError.last == .missing else { throw unwritable(.last) }
      // A link that names nothing yet is kept too: what it names is made by opening it.
      return FileStatus(of: path, followsLinks: false) == nil ? path : nil
    }
    return status.isRegular ? Files.resolved(path) : nil
  }

  /// Why a file cannot be written.
  static func unwritable(_ error: SystemError) -> GatebookError {
    GatebookError(
      error.isFullDisk ? .storageFull : .configurationInvalid, "The file could not be written.",
      remedy: error.isFullDisk ? "Choose another place, or free space." : "Choose another place.",
      cause: error.text)
  }
}
