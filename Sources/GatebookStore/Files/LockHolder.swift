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

/// What the holder of a lock writes into the lock file: which process it is.
///
/// The kernel tells that of no process that forbids its memory to be looked into, as `gatebook`
/// does. A note is worth what the lock is: without the lock, or without the process, it says
/// nothing.
///
/// Shape: 24 bytes at 4,096 + 24 (n mod 1,024), n being the lock's byte: n, the process's id, and
/// when the process began (field 22 of `/proc/PID/stat`), which no later process of that id shares;
/// each 8 bytes, as this machine has them.
enum LockNote {
  private struct Content: Equatable {
    var byte: Int64 = 0
    var process: Int64 = 0
    var start: Int64 = 0
  }

  /// Notes that this process holds the lock of a byte.
  ///
  /// A note that cannot be written costs only that others are not told.
  static func write(_ file: OpenFile, _ byte: Int64) {
    // An empty file says that no book was made yet.
    guard file.status?.size ?? 0 > 0 else { return }
    let process = ThisProcess.id
    guard let began = ThisProcess.start(of: process) else { return }
    write(Content(byte: byte, process: Int64(process), start: began), to: file, at: byte)
  }

  /// Takes the note back, before the lock is released.
  static func remove(_ file: OpenFile, _ byte: Int64) {
    guard let content = read(file, byte), content.process == Int64(ThisProcess.id) else { return }
    write(Content(), to: file, at: byte)
  }

  private static func write(_ content: Content, to file: OpenFile, at byte: Int64) {
    file.write(withUnsafeBytes(of: content) { Array($0) }, at: place(of: byte))
  }

  /// The process that has noted that it holds the lock of a byte, if it still runs.
  static func process(of byte: Int64, _ path: String) -> Int32? {
    guard let file = OpenFile.open(path, .read), let content = read(file, byte),
      let process = Int32(exactly: content.process), ThisProcess.start(of: process) == content.start
    else { return nil }
    return process
  }

  private static func read(_ file: OpenFile, _ byte: Int64) -> Content? {
    let content = file.read(MemoryLayout<Content>.size, at: place(of: byte))?
      .withUnsafeBytes { $0.loadUnaligned(as: Content.self) }
    return content?.byte == byte ? content : nil
  }

  private static func place(of byte: Int64) -> Int64 {
    4_096 + Int64(MemoryLayout<Content>.size) * (byte % 1_024)
  }
}
