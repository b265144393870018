internal import Glibc

/// A terminal of a fixed width, for a program whose output is shown inside another one's.
package final class PseudoTerminal {
  /// The end that the program writes to.
  package let program: Int32
  /// The end that its output is read from.
  private let screen: Int32
  // TIOCSPTLCK and TIOCGPTN, ioctl_tty(2): Glibc's module leaves out posix_openpt and its like.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  /// Opens one; `nil` when the machine has none left.
  ///
  /// - Parameter columns: How wide it is.
  package init?(columns: Int) {
    let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    var unlocked: Int32 = 0
    var number: Int32 = 0
    var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    guard ioctl(descriptor, Self.setLock, &unlocked) == 0,
      ioctl(descriptor, Self.getNumber, &number) == 0,
      ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0
    else {
      close(descriptor)
      return nil
    }
    let end = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY | O_CLOEXEC)
    guard end >= 0 else {
      close(descriptor)
      return nil
    }
    (screen, program) = (descriptor, end)
  }

  deinit { close(screen) }

  /// Closes this process's copy of the program's end: the screen then ends with the program.
  package func handOver() { close(program) }

  /// What the program writes until its end.
  package func text() -> String {
    var content: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count = Glibc.read(screen, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      // EIO: nobody has the other end open.
      guard count > 0 else { break }
      content += chunk[..<count]
    }
    return String(decoding: content, as: UTF8.self).replacing("\r\n", with: "\n")
  }
}
