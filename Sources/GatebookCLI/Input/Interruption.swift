internal import Glibc

/// Turns the signals that end a program into the cancellation of its task.
///
/// The handler writes one byte into a pipe and nothing else; a thread waits at its other end. The
/// first signal cancels, a second one ends the process at once. (`sigwait` cannot be used: the
/// runtime's main thread waits in `sigsuspend` with no signal blocked.)
final class Interruption: Sendable {
  /// Becomes readable with the first signal and stays so: what waits for input waits for this too.
  let descriptor: Int32
  private let cancelled: Int32

  private init(_ pipe: Pipe) {
    descriptor = pipe.output
    cancelled = pipe.input
  }

  /// A handler is a bare function: what it writes to can only be found from everywhere.
  ///
  /// One for the process, as signals are; never changed.
  private static let signals = Pipe.open()

  /// Makes an interruption; nothing is caught before `watch`.
  ///
  /// - Returns: `nil` when the process has no descriptors left; signals then end it as usual.
  static func prepare() -> Interruption? {
    guard signals != nil, let pipe = Pipe.open() else { return nil }
    return Interruption(pipe)
  }

  /// Starts to catch the signals; one that the parent ignores (`nohup`) stays ignored.
  ///
  /// - Parameter cancel: What the first one does.
  func watch(_ cancel: @escaping @Sendable () -> Void) {
    let watch = Unmanaged.passRetained(
      Watch { [cancelled] in
        guard let source = Self.signals?.output else { return }
        Self.wait(source)
        write(cancelled, [1], 1)
        cancel()
        Self.wait(source)
        _exit(ExitCode.cancelled.rawValue)
      })
    var thread = pthread_t()
    let status = pthread_create(
      &thread, nil,
      { pointer in
        guard let pointer else { return nil }
        Unmanaged<Watch>.fromOpaque(pointer).takeRetainedValue().body()
        return nil
      }, watch.toOpaque())
    guard status == 0 else { return watch.release() }
    pthread_detach(thread)
    for signal in [SIGINT, SIGTERM, SIGHUP] where !Self.isIgnored(signal) { Self.catch(signal) }
  }

  private static func `catch`(_ signal: Int32) {
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in
      let number = errno
      var byte: UInt8 = 1
      if let pipe = Interruption.signals { write(pipe.input, &byte, 1) }
      errno = number
    }
    action.sa_flags = SA_RESTART
    sigaction(signal, &action, nil)
  }

  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(signal, nil, &action) == 0 else { return false }
    // SIG_IGN is the number 1 in the place of a function: only its bits can be compared.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }

  private static func wait(_ descriptor: Int32) {
    var byte: UInt8 = 0
    while read(descriptor, &byte, 1) < 0, errno == EINTR {}
  }
}

/// Both ends of a pipe that no child inherits.
private struct Pipe: Sendable {
  let output: Int32
  let input: Int32

  static func open() -> Pipe? {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return Pipe(output: ends[0], input: ends[1])
  }
}

/// What the waiting thread runs.
private final class Watch: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }
}
