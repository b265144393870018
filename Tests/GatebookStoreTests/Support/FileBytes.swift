import Glibc
import Testing

/// Whole files as bytes.
enum FileBytes {
  static func read(_ path: String) throws -> [UInt8] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    try #require(descriptor >= 0, "\(path)")
    defer { close(descriptor) }
    var status = stat()
    try #require(fstat(descriptor, &status) == 0)
    var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
    try #require(Glibc.read(descriptor, &bytes, bytes.count) == bytes.count)
    return bytes
  }

  static func write(_ bytes: [UInt8], to path: String, mode: mode_t = 0o600) throws {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode)
    try #require(descriptor >= 0, "\(path)")
    defer { close(descriptor) }
    try #require(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
    fchmod(descriptor, mode)
  }

  static func copy(_ path: String, to other: String) throws {
    try write(read(path), to: other)
  }

  /// Where a symbolic link leads.
  static func link(_ path: String) throws -> String {
    try withUnsafeTemporaryAllocation(of: CChar.self, capacity: 4096) { buffer in
      let start = try #require(buffer.baseAddress)
      let count = readlink(path, start, buffer.count)
      return String(decoding: UnsafeRawBufferPointer(buffer).prefix(max(0, count)), as: UTF8.self)
    }
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}

extension [UInt8] {
  /// Whether these bytes contain others in one piece. (Glibc's module lacks memmem.)
  func holds(_ searched: [UInt8]) -> Bool {
    withUnsafeBytes { bytes in
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
