internal import Glibc

/// What a terminal does with what is typed.
package struct TerminalSettings: Sendable {
  private var value = termios()

  /// Reads the settings; `nil` when it is no terminal, and ``SystemError/last`` says so.
  package init?(of descriptor: Int32) {
    guard tcgetattr(descriptor, &value) == 0 else { return nil }
  }

  /// Sets them, and forgets what was typed before.
  package func apply(to descriptor: Int32) -> Bool {
    var value = value
    return tcsetattr(descriptor, TCSAFLUSH, &value) == 0
  }

  /// The settings with which nothing is shown that is typed.
  ///
  /// - Parameter takesBytes: Whether each byte can be read at once, and not only whole lines.
  /// - Returns: The settings.
  package func hidden(takesBytes: Bool) -> TerminalSettings {
    var settings = self
    settings.value.c_lflag &= ~tcflag_t(ECHO | ECHONL)
    settings.value.c_lflag |= tcflag_t(ISIG)
    if takesBytes {
      settings.value.c_lflag &= ~tcflag_t(ICANON)
      withUnsafeMutableBytes(of: &settings.value.c_cc) { characters in
        characters[Int(VMIN)] = 1
        characters[Int(VTIME)] = 0
      }
    } else {
      settings.value.c_lflag |= tcflag_t(ICANON)
    }
    return settings
  }

  /// Whether both show and take in what is typed in the same way.
  package func echoes(as other: TerminalSettings) -> Bool {
    // The last ones tell what a pager makes of the terminal from what a name is typed into.
    let flags = tcflag_t(ECHO | ECHONL | ICANON | ISIG | ECHOE | ECHOK)
    return (value.c_lflag ^ other.value.c_lflag) & flags == 0
  }

  /// Whether the terminal belongs to this process's group, and not to another job of the shell.
  package static func isInForeground(_ descriptor: Int32) -> Bool {
    tcgetpgrp(descriptor) == getpgrp()
  }

  /// How many columns and rows it shows; `nil` for what is no terminal or does not say it.
  package static func size(of descriptor: Int32) -> (columns: Int, rows: Int)? {
    var size = winsize()
    guard ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0 else { return nil }
    return (Int(size.ws_col), Int(size.ws_row))
  }
}
