internal import Glibc
internal import Testing

/// A terminal that a test holds the other end of.
final class PseudoTerminal {
  /// The name of the end that a program uses.
  let path: String
  private let descriptor: Int32
  private let kept: Int32
  // TIOCSPTLCK and TIOCGPTN, ioctl_tty(2).
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  /// Opens one; 0 columns do not say how wide it is.
  init(columns: UInt16 = 0) throws {
    descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(descriptor >= 0)
    // Glibc's module leaves out posix_openpt and its like: these are what they do on Linux.
    var unlocked: Int32 = 0
    try #require(ioctl(descriptor, Self.setLock, &unlocked) == 0)
    var number: Int32 = 0
    try #require(ioctl(descriptor, Self.getNumber, &number) == 0)
    path = "/dev/pts/\(number)"
    // Held open, so that its settings outlive the program and can be looked at.
    kept = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    try #require(kept >= 0)
    var size = winsize(ws_row: 24, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0)
    try #require(ioctl(kept, UInt(TIOCSWINSZ), &size) == 0)
  }

  deinit {
    close(kept)
    close(descriptor)
  }

  /// Whether what is typed is shown.
  var leaks: Bool {
    var settings = termios()
    return tcgetattr(kept, &settings) == 0 && settings.c_lflag & tcflag_t(ECHO) != 0
  }

  /// Types.
  func write(_ text: String) {
    _ = Glibc.write(descriptor, text, text.utf8.count)
  }

  /// Reads what the program shows, up to a text; ten seconds of silence end it too.
  func read(until text: String) -> String {
    // A character may come in two parts.
    var shown: [UInt8] = []
    while !String(decoding: shown, as: UTF8.self).contains(text), let more = next(within: 10_000) {
      shown += more
    }
    return String(decoding: shown, as: UTF8.self)
  }

  /// Reads all that a program shows until it ends.
  func readAll(of child: ChildProcess) -> String {
    var shown: [UInt8] = []
    var status = siginfo_t()
    repeat {
      while let more = next(within: 50) { shown += more }
      guard waitid(P_PID, id_t(child.id), &status, WEXITED | WNOHANG | WNOWAIT) == 0 else { break }
    } while status.si_signo == 0
    while let more = next(within: 0) { shown += more }
    return String(decoding: shown, as: UTF8.self)
  }

  /// Reads what is there.
  func drain() {
    while next(within: 200) != nil {}
  }

  private func next(within milliseconds: Int32) -> [UInt8]? {
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&watched, 1, milliseconds) > 0 else { return nil }
    var chunk = [UInt8](repeating: 0, count: 4_096)
    let count = Glibc.read(descriptor, &chunk, chunk.count)
    return count > 0 ? Array(chunk[..<count]) : nil
  }
}
