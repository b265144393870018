internal import Glibc

/// Turns the signals that end a program into the cancellation of its task.
///
/// One thread waits for them (`sigwait`); no code runs inside a signal handler. The first signal
/// cancels, a second one ends the process at once.
final class Interruption: Sendable {
  /// Becomes readable with the first signal and stays so: what waits for input waits for this too.
  let descriptor: Int32
  private let signalled: Int32
  private let signals: [Int32]

  private init(descriptor: Int32, signalled: Int32, signals: [Int32]) {
    self.descriptor = descriptor
    self.signalled = signalled
    self.signals = signals
  }

  /// Blocks the signals in this thread, and so in all threads made from now on.
  ///
  /// A signal that the parent ignores (`nohup`) stays ignored.
  ///
  /// - Returns: `nil` when the process has no descriptors left; signals then end it as usual.
  static func prepare() -> Interruption? {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let signals = [SIGINT, SIGTERM, SIGHUP].filter { !isIgnored($0) }
    var set = Self.set(of: signals)
    pthread_sigmask(SIG_BLOCK, &set, nil)
    return Interruption(descriptor: ends[0], signalled: ends[1], signals: signals)
  }

  /// Starts to wait for the signals.
  ///
  /// - Parameter cancel: What the first one does.
  func watch(_ cancel: @escaping @Sendable () -> Void) {
    let watch = Unmanaged.passRetained(
      Watch { [signals, signalled] in
        var set = Self.set(of: signals)
        var signal: Int32 = 0
        guard sigwait(&set, &signal) == 0 else { return }
        write(signalled, [1], 1)
        cancel()
        guard sigwait(&set, &signal) == 0 else { return }
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
    guard status == 0 else {
      watch.release()
      var set = Self.set(of: signals)
      pthread_sigmask(SIG_UNBLOCK, &set, nil)
      return
    }
    pthread_detach(thread)
  }

  private static func set(of signals: [Int32]) -> sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for signal in signals { sigaddset(&set, signal) }
    return set
  }

  private static func isIgnored(_ signal: Int32) -> Bool {
    var action = sigaction()
    guard sigaction(signal, nil, &action) == 0 else { return false }
    // SIG_IGN is the number 1 in the place of a function: only its bits can be compared.
    return unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
  }
}

/// What the waiting thread runs.
private final class Watch: Sendable {
  let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) {
    self.body = body
  }
}
