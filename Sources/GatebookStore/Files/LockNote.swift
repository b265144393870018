internal import Glibc

/// What the holder of a lock writes into the lock file: which process it is.
///
/// The kernel tells that of no process that forbids its memory to be looked into, as `gatebook` does.
/// A note is worth what the lock is: without the lock, or without the process, it says nothing.
///
/// Shape: 24 bytes at 4,096 + 24 (n mod 1,024), n being the lock's byte: n, the process's id, and when the
/// process began (field 22 of `/proc/PID/stat`), which no later process of that id shares; each 8 bytes, as
/// this machine has them.
enum LockNote {
  private struct Content: Equatable {
    var byte: Int64 = 0
    var process: Int64 = 0
    var start: Int64 = 0
  }

  /// Notes that this process holds the lock of a byte.
  ///
  /// A note that cannot be written costs only that others are not told.
  static func write(_ descriptor: Int32, _ byte: Int64) {
    var status = stat()
    // An empty file says that no book was made yet.
    guard fstat(descriptor, &status) == 0, status.st_size > 0 else { return }
    let process = getpid()
    guard let began = start(of: process) else { return }
    var content = Content(byte: byte, process: Int64(process), start: began)
    pwrite(descriptor, &content, MemoryLayout<Content>.size, place(of: byte))
  }

  /// Takes the note back, before the lock is released.
  static func remove(_ descriptor: Int32, _ byte: Int64) {
    guard let content = read(descriptor, byte), content.process == Int64(getpid()) else { return }
    var nothing = Content()
    pwrite(descriptor, &nothing, MemoryLayout<Content>.size, place(of: byte))
  }

  /// The process that has noted that it holds the lock of a byte, if it still runs.
  static func process(of byte: Int64, _ path: String) -> Int32? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard let content = read(descriptor, byte),
      let process = Int32(exactly: content.process), start(of: process) == content.start
    else { return nil }
    return process
  }

  private static func read(_ descriptor: Int32, _ byte: Int64) -> Content? {
    var content = Content()
    let size = MemoryLayout<Content>.size
    guard pread(descriptor, &content, size, place(of: byte)) == size, content.byte == byte
    else { return nil }
    return content
  }

  private static func place(of byte: Int64) -> off_t {
    off_t(4_096 + Int64(MemoryLayout<Content>.size) * (byte % 1_024))
  }

  /// When a process began, in ticks since the machine's start; anybody may know.
  private static func start(of process: Int32) -> Int64? {
    let descriptor = open("/proc/\(process)/stat", O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1_024)
    let count = Glibc.read(descriptor, &bytes, bytes.count)
    // The second field is the program's name in parentheses, which may have blanks in it.
    guard count > 0, let name = bytes[..<count].lastIndex(of: UInt8(ascii: ")")) else { return nil }
    let fields = bytes[(name + 1)..<count].split(separator: UInt8(ascii: " "))
    return fields.count > 19 ? Int64(String(decoding: fields[19], as: UTF8.self)) : nil
  }
}
