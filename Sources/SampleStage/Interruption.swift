internal import Glibc

/// Puts things in order when a signal ends the program: Ctrl-C above all.
///
/// The handler writes one byte into a pipe and nothing else; a thread at its other end does the work.
enum Interruption {
  /// A handler is a bare function: what it writes to can only be found from everywhere.
  private static let pipe: (output: Int32, input: Int32)? = {
    var ends: [Int32] = [0, 0]
    guard Glibc.pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }()

  private final class Work: Sendable {
    let body: @Sendable () -> Void

    init(_ body: @escaping @Sendable () -> Void) {
      self.body = body
    }
  }

  /// Ends the program with 130 at the first signal, after putting things in order.
  ///
  /// The terminal is given back as it is now: the signal may come while nothing is shown.
  ///
  /// - Parameter tidy: What else is to be done; runs on a thread of its own.
  static func watch(_ tidy: @escaping @Sendable () -> Void) {
    guard let pipe else { return }
    var shown = termios()
    let isTerminal = tcgetattr(0, &shown) == 0
    let settings = shown
    let work = Unmanaged.passRetained(
      Work {
        var byte: UInt8 = 0
        while read(pipe.output, &byte, 1) < 0, errno == EINTR {}
        var shown = settings
        if isTerminal { tcsetattr(0, TCSANOW, &shown) }
        tidy()
        _exit(130)
      })
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { pointer in
        if let pointer { Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue().body() }
        return nil
      }, work.toOpaque())
    guard status == 0 else { return work.release() }
    pthread_detach(thread)
    for signal in [SIGINT, SIGTERM, SIGHUP] { Self.catch(signal) }
  }

  private static func `catch`(_ signal: Int32) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in
      let number = errno
      var byte: UInt8 = 1
      if let pipe = Interruption.pipe { write(pipe.input, &byte, 1) }
      errno = number
    }
    action.sa_flags = SA_RESTART
    sigaction(signal, &action, nil)
  }
}
