internal import GatebookSystem

/// Who holds a lock of the book, as far as this machine tells.
///
/// The locks belong to open files, and no call names their holder; the holder's own note does, and
/// what the kernel says of each process's descriptors (`/proc/PID/fdinfo`, proc(5)).
package struct LockHolder: Sendable {
  /// The process; `nil` where that cannot be seen, as of another user's.
  package let process: Int32?

  /// Looks for the process that holds the lock of a byte.
  init(of byte: Int64, _ file: BookFile) {
    process =
      LockNote.process(of: byte, file.lockPath) ?? Self.process(of: byte, file.lockPath)
  }

  private static func process(of byte: Int64, _ path: String) -> Int32? {
    guard let lock = FileStatus(of: path) else { return nil }
    for process in Files.names(in: "/proc").compactMap(Int32.init) {
      // What the descriptor leads to is not looked at: it may be on a file system that does not
      // answer.
      for descriptor in Files.names(in: "/proc/\(process)/fdinfo") {
        let lines = Files.text(of: "/proc/\(process)/fdinfo/\(descriptor)").split(separator: "\n")
        if lines.contains(where: { holds(byte, of: lock.inode, $0) }) { return process }
      }
    }
    return nil
  }

  /// Whether a line such as
  /// `lock: 1: OFDLCK ADVISORY WRITE -1 fe:00:1234 1099511627777 1099511627777` is of a byte's
  /// lock.
  private static func holds(_ byte: Int64, of inode: UInt64, _ line: Substring) -> Bool {
    let fields = line.split { $0 == " " || $0 == "\t" }
    return fields.first == "lock:" && fields.suffix(2).allSatisfy { $0 == "\(byte)" }
      && fields.dropLast(2).last?.split(separator: ":").last == "\(inode)"
  }
}
