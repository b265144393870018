internal import Gatebook
internal import Glibc

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
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw unreadable(what, errno) }
    defer { close(descriptor) }
    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw unreadable(what, errno) }
      guard count > 0 else { return content }
      content += chunk[..<count]
      guard content.count <= limit else {
        throw GatebookError(
          .limitExceeded, "The \(what) is larger than \(limit >> 20) MiB.",
          remedy: "Give a smaller one.")
      }
    }
  }

  private static func unreadable(_ what: String, _ number: Int32) -> GatebookError {
    GatebookError(
      .configurationInvalid, "The \(what) could not be read.",
      remedy: "Check the path and its permissions.", cause: String(cString: strerror(number)))
  }

  /// Writes a file anew, or into what stands there and is no regular file: a pipe, a device.
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
    var status = stat()
    guard stat(path, &status) == 0 else {
      guard errno == ENOENT else { throw unwritable(errno) }
      // A link that names nothing yet is kept too: what it names is made by opening it.
      return lstat(path, &status) == 0 ? nil : path
    }
    guard status.st_mode & S_IFMT == S_IFREG, let place = realpath(path, nil) else { return nil }
    defer { free(place) }
    return String(cString: place)
  }

  /// Writes all bytes; whether they could be written: `errno` says why not.
  static func writeAll(_ bytes: [UInt8], _ descriptor: Int32) -> Bool {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return false }
      rest = rest.dropFirst(count)
    }
    return true
  }

  /// Why a file cannot be written.
  static func unwritable(_ number: Int32) -> GatebookError {
    let isFull = number == ENOSPC || number == EDQUOT
    return GatebookError(
      isFull ? .storageFull : .configurationInvalid, "The file could not be written.",
      remedy: isFull ? "Choose another place, or free space." : "Choose another place.",
      cause: String(cString: strerror(number)))
  }
}
