internal import GatebookSystem

/// Files with secrets: nobody but their owner may read them.
enum PrivateFile {
  /// Why an open file is not used; `nil` when it is as it should be.
  ///
  /// A pipe has no name under which others could open it; a file has, and its mode says who may.
  static func fault(of descriptor: Int32) -> String? {
    guard let status = FileStatus(descriptor) else { return "cannot be read" }
    guard status.isRegular else { return nil }
    guard !status.isOpenToOthers else { return "can be read by others" }
    guard status.isOwn || status.isOfRoot else {
      return "belongs to somebody else"
    }
    return nil
  }
}
