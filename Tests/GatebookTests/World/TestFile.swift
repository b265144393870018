import Gatebook
import Glibc
import Testing

/// The bytes of a file, to be searched for what must not be there.
struct TestFile {
  let bytes: [UInt8]

  static func read(_ path: String) -> TestFile {
    let descriptor = open(path, O_RDONLY)
    guard descriptor >= 0 else { return TestFile(bytes: []) }
    defer { close(descriptor) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = Glibc.read(descriptor, &buffer, buffer.count)
      guard count > 0 else { return TestFile(bytes: bytes) }
      bytes.append(contentsOf: buffer[..<count])
    }
  }

  /// Writes the bytes into a new file that only its owner may read.
  func write(to path: String) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
    try #require(descriptor >= 0)
    defer { close(descriptor) }
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      try #require(count > 0)
      rest = rest.dropFirst(count)
    }
  }

  /// Removes files.
  static func remove(_ paths: [String]) {
    for path in paths { unlink(path) }
  }

  /// Whether it contains a text: as it is, in hexadecimal, in base64 or percent-encoded.
  func holds(_ text: String) -> Bool {
    let content = Array(text.utf8)
    let percent = content.map { "%" + Hex.encode([$0]).uppercased() }.joined()
    // Base64 of a text depends on the bytes before it: its middle is always the same.
    let base64 = Base64.encode(content).dropLast(4)
    return [text, Hex.encode(content), Hex.encode(content).uppercased(), String(base64), percent]
      .contains { !$0.isEmpty && find(Array($0.utf8)) }
  }

  /// Whether it contains a text as it is or in hexadecimal: for texts that are too short for
  /// base64, because parts of that occur in any file by chance.
  func holdsPlainly(_ text: String) -> Bool {
    let content = Array(text.utf8)
    return !content.isEmpty && [content, Array(Hex.encode(content).utf8)].contains { find($0) }
  }

  private func find(_ pattern: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      pattern.withUnsafeBytes { pattern in
        guard var start = bytes.baseAddress, let wanted = pattern.baseAddress else { return false }
        let end = start + bytes.count
        while end - start >= pattern.count,
          let found = memchr(start, Int32(pattern[0]), end - start - pattern.count + 1)
        {
          if memcmp(found, wanted, pattern.count) == 0 { return true }
          start = UnsafeRawPointer(found) + 1
        }
        return false
      }
    }
  }
}
