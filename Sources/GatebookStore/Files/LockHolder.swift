internal import GatebookSystem

/// Who holds a lock of the book, as far as the holder's own note tells: the locks belong to open
/// files, and no call names their holder.
package struct LockHolder: Sendable {
  /// The process; `nil` where it has left no note.
  package let process: Int32?

  /// Looks for the process that holds the lock of a byte.
  init(of byte: Int64, _ file: BookFile) {
    process = LockNote.process(of: byte, file.lockPath)
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
    guard let began = start(of: process) else { return }
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
      let process = Int32(exactly: content.process), start(of: process) == content.start
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

  /// When a process began, in ticks since the machine's start; anybody may know.
  private static func start(of process: Int32) -> Int64? {
    // The second field is the program's name in parentheses, which may have blanks in it.
    guard let bytes = Files.content(of: "/proc/\(process)/stat"),
      let name = bytes.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    let fields = bytes[(name + 1)...].split(separator: UInt8(ascii: " "))
    return fields.count > 19 ? Int64(String(decoding: fields[19], as: UTF8.self)) : nil
  }
}
