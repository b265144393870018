internal import Gatebook
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// What must not be found in any file: texts and bytes, in the forms in which they could leak.
struct Traces {
  private var patterns: [(name: String, bytes: [UInt8])] = []

  /// Adds a text in every form.
  mutating func add(_ name: String, text: String) {
    add(name, bytes: Array(text.utf8))
    let units = text.utf16.flatMap {
      [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)]
    }
    patterns.append(("\(name) in UTF-16", units))
    // From the second byte on, so that big-endian numbers are found too.
    patterns.append(("\(name) in UTF-16, big end first", Array(units.dropFirst().dropLast())))
    for isUpper in [true, false] {
      let percent = text.utf8.map { byte -> String in
        guard byte > 127 || !Character(Unicode.Scalar(byte)).isLetter else {
          return String(Unicode.Scalar(byte))
        }
        let digits = Hex.encode([byte])
        return "%" + (isUpper ? digits.uppercased() : digits)
      }
      patterns.append(("\(name) URL-encoded", Array(percent.joined().utf8)))
    }
    let escaped = text.utf16.map { unit -> String in
      unit > 127 || unit == 0x22 || unit == 0x5C
        ? "\\u" + Hex.encode([UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit)])
        : String(Unicode.Scalar(UInt8(unit)))
    }
    patterns.append(("\(name) in JSON", Array(escaped.joined().utf8)))
  }

  /// Adds bytes as they are and as text.
  mutating func add(_ name: String, bytes: [UInt8]) {
    patterns.append((name, bytes))
    patterns.append(("\(name) in hex", Array(Hex.encode(bytes).utf8)))
    patterns.append(("\(name) in upper-case hex", Array(Hex.encode(bytes).uppercased().utf8)))
    // At the two other offsets in a group of three, base64 shows other characters.
    for shift in 0..<3 {
      let shifted = [UInt8](repeating: 0x78, count: shift) + bytes
      for (form, encoded) in [
        ("base64", Base64.encode(shifted)), ("base64url", Base64URL.encode(shifted)),
      ] {
        patterns.append(
          ("\(name) in \(form), \(shift)", Array(encoded.utf8.dropFirst(4).dropLast(4))))
      }
    }
  }

  /// The names of those that are in some bytes.
  func found(in bytes: [UInt8]) -> [String] {
    patterns.filter { Self.holds(bytes, $0.bytes) }.map(\.name)
  }

  /// Those that are in the files under a folder, with their files.
  func found(under folder: String) throws -> [String] {
    var found: [String] = []
    for path in Self.files(under: folder) {
      let bytes = try TextFile.bytes(path, what: "file", limit: 1 << 26)
      found += self.found(in: bytes).map { "\($0): \(path)" }
    }
    return found
  }

  /// All files under a folder.
  static func files(under folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var files: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) {
        String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      guard name != ".", name != ".." else { continue }
      let path = "\(folder)/\(name)"
      files += entry.pointee.d_type == UInt8(DT_DIR) ? Self.files(under: path) : [path]
    }
    return files.sorted()
  }

  // Glibc's module lacks memmem.
  private static func holds(_ bytes: [UInt8], _ searched: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, let first = searched.first else { return false }
      let end = start + bytes.count - searched.count
      var place = start
      while place <= end, let found = memchr(place, Int32(first), end - place + 1) {
        if memcmp(found, searched, searched.count) == 0 { return true }
        place = UnsafeRawPointer(found) + 1
      }
      return false
    }
  }
}
