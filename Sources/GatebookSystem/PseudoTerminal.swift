internal import Glibc

/// A terminal of a fixed width, for a program whose output is shown inside another one's.
package final class PseudoTerminal {
  /// The end that the program writes to.
  package let program: Int32
  /// The end that its output is read from.
  private let screen: OpenFile
  // TIOCSPTLCK and TIOCGPTN, ioctl_tty(2): Glibc's module leaves out posix_openpt and its like.
  private static let setLock: UInt = 0x4004_5431
  private static let getNumber: UInt = 0x8004_5430

  /// Opens one; `nil` when the machine has none left.
  ///
  /// - Parameter columns: How wide it is.
  package init?(columns: Int) {
    guard let screen = OpenFile.open("/dev/ptmx", .both) else { return nil }
    var unlocked: Int32 = 0
    var number: Int32 = 0
    var size = winsize(ws_row: 24, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    guard ioctl(screen.descriptor, Self.setLock, &unlocked) == 0,
      ioctl(screen.descriptor, Self.getNumber, &number) == 0,
      ioctl(screen.descriptor, UInt(TIOCSWINSZ), &size) == 0,
      let program = OpenFile.descriptor("/dev/pts/\(number)", .both)
    else { return nil }
    (self.screen, self.program) = (screen, program)
  }

  /// Closes this process's copy of the program's end: the screen then ends with the program.
  package func handOver() { close(program) }

  /// What the program writes until its end: then nobody has the other end open, and reading fails.
  package func text() -> String {
    String(decoding: screen.readToEnd(), as: UTF8.self).replacing("\r\n", with: "\n")
  }
}
