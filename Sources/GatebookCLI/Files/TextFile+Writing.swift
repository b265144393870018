internal import Gatebook
internal import Glibc

extension TextFile {
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
