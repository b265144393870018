internal import Gatebook
internal import Glibc

/// A folder for the book and the key of one run.
struct ThrowAwayFolder: Sendable {
  let path: String

  init() throws(GatebookError) {
    let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
    var template = Array("\(parent)/gatebook-sample-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else {
      throw GatebookError(
        .configurationInvalid, "No folder can be created in \(parent).",
        remedy: "Give one with `--book`.")
    }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Removes it with all that is in it.
  func remove() {
    for folder in ["\(path)/keys", path] {
      for name in Self.names(in: folder) { unlink("\(folder)/\(name)") }
      rmdir(folder)
    }
  }

  private static func names(in path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}
