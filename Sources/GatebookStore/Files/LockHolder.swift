internal import Glibc

/// Who holds a lock of the book, as far as this machine tells.
///
/// The locks belong to open files, and no call names their holder; the holder's own note does, and what the
/// kernel says of each process's descriptors (`/proc/PID/fdinfo`, proc(5)).
package struct LockHolder: Sendable {
  /// The process; `nil` where that cannot be seen, as of another user's.
  package let process: Int32?

  /// Looks for whoever holds the lock of a byte.
  init(of byte: Int64, _ file: BookFile) {
    process =
      LockNote.process(of: byte, file.lockPath) ?? Self.process(of: byte, file.lockPath)
  }

  private static func process(of byte: Int64, _ path: String) -> Int32? {
    var lock = stat()
    guard stat(path, &lock) == 0 else { return nil }
    for process in names(in: "/proc").compactMap(Int32.init) {
      // What the descriptor leads to is not looked at: it may be on a file system that does not answer.
      for descriptor in names(in: "/proc/\(process)/fdinfo") {
        let lines = text("/proc/\(process)/fdinfo/\(descriptor)").split(separator: "\n")
        if lines.contains(where: { holds(byte, of: lock.st_ino, $0) }) { return process }
      }
    }
    return nil
  }

  /// Whether a line such as `lock: 1: OFDLCK ADVISORY WRITE -1 fe:00:1234 1099511627777 1099511627777` is of a
  /// byte's lock.
  private static func holds(_ byte: Int64, of inode: ino_t, _ line: Substring) -> Bool {
    let fields = line.split { $0 == " " || $0 == "\t" }
    return fields.first == "lock:" && fields.suffix(2).allSatisfy { $0 == "\(byte)" }
      && fields.dropLast(2).last?.split(separator: ":").last == "\(inode)"
  }

  private static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      names.append(
        withUnsafePointer(to: &entry.pointee.d_name) { name in
          name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        })
    }
    return names.filter { !$0.hasPrefix(".") }
  }

  /// Some kilobytes are more than the kernel says of a descriptor.
  private static func text(_ path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return "" }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 16_384)
    let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
