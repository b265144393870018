internal import Glibc
internal import Testing

/// Makes a folder for files while a body runs, and removes it with all that is in it.
func withFolder<Result>(_ body: (String) async throws -> Result) async throws -> Result {
  var template = Array("/tmp/gatebook-trust-XXXXXX".utf8CString)
  try #require(mkdtemp(&template) != nil)
  let bytes = template.dropLast().map { UInt8(bitPattern: $0) }
  // swift-format-ignore: OptionalDataStringConversion
  let folder = String(decoding: bytes, as: UTF8.self)
  defer { removeFolder(folder) }
  return try await body(folder)
}

private func removeFolder(_ folder: String) {
  guard let listing = opendir(folder) else { return }
  while let entry = readdir(listing) {
    let name = withUnsafePointer(to: &entry.pointee.d_name) { tuple in
      tuple.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
    }
    unlink("\(folder)/\(name)")
  }
  closedir(listing)
  rmdir(folder)
}

/// Writes a file.
func write(_ text: String, to path: String) throws {
  let file = try #require(fopen(path, "w"))
  defer { fclose(file) }
  try #require(fputs(text, file) >= 0)
}
