internal import Gatebook
internal import GatebookSystem

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
