internal import Glibc

/// Files with secrets: nobody but their owner may read them.
enum PrivateFile {
  /// Why an open file is not used; `nil` when it is as it should be.
  ///
  /// A pipe has no name under which others could open it; a file has, and its mode says who may.
  static func fault(of descriptor: Int32) -> String? {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return "cannot be read" }
    guard status.st_mode & S_IFMT == S_IFREG else { return nil }
    guard status.st_mode & 0o077 == 0 else { return "can be read by others" }
    guard status.st_uid == geteuid() || status.st_uid == 0 else {
      return "belongs to somebody else"
    }
    return nil
  }
}
