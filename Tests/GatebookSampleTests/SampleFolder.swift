import Glibc
import Testing

/// A folder for the book of one test.
final class SampleFolder {
  let path: String

  init() throws {
    var template = Array("/tmp/gatebook-sample-test-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    for folder in ["\(path)/keys", path] {
      for name in Self.names(in: folder) { unlink("\(folder)/\(name)") }
      rmdir(folder)
    }
  }

  /// The names of the files in a folder.
  static func names(in path: String) -> [String] {
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
