internal import Glibc

/// A program that this process has started.
package struct ChildProcess: Sendable {
  /// What one of its three standard streams is.
  package enum Stream: Sendable {
    /// Nothing can be read, and what is written is forgotten.
    case nothing
    /// An open descriptor of this process.
    case descriptor(Int32)
    /// The one of this process.
    case inherited
  }

  /// How it ended.
  package struct End: Sendable {
    fileprivate let status: Int32

    /// Whether a signal ended it.
    package var wasKilled: Bool { status & 0x7F != 0 }
    // WIFEXITED and WEXITSTATUS are macros: a signal leaves its number in the low seven bits.
    /// Its exit status, or 128 and the signal that ended it, as shells say it.
    package var code: Int32 { wasKilled ? 128 + status & 0x7F : status >> 8 & 0xFF }
    /// Whether it ended in another way than with exit status 0.
    package var isFailure: Bool { status != 0 }
  }

  /// Its number.
  package let id: Int32

  /// Starts a program; `nil` when it cannot be started.
  ///
  /// It hears all signals but those that the parent of this process ignores, or that this process
  /// ignores for it.
  ///
  /// - Parameters:
  ///   - program: Its path, or a name that is looked for in PATH.
  ///   - line: The words that it gets, its own name first.
  ///   - environment: Its variables as `NAME=value`; `nil` for those of this process.
  ///   - streams: Standard input, output and error.
  ///   - isOwnSession: Whether it belongs to no terminal, and outlives this one.
  package init?(
    _ program: String, _ line: [String], environment: [String]? = nil,
    streams: [Stream] = [.inherited, .inherited, .inherited], isOwnSession: Bool = false
  ) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (number, stream) in zip(Int32(0)..., streams) {
      switch stream {
      case .nothing: posix_spawn_file_actions_addopen(&actions, number, "/dev/null", O_RDWR, 0)
      case .descriptor(let own): posix_spawn_file_actions_adddup2(&actions, own, number)
      case .inherited: break
      }
    }
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // Gatebook ignores SIGPIPE, and a program that is started would too.
    var pipes = sigset_t()
    sigemptyset(&pipes)
    sigaddset(&pipes, SIGPIPE)
    posix_spawnattr_setsigdefault(&attributes, &pipes)
    // Threads of the runtime block nearly all signals, and what they start would too.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    // POSIX_SPAWN_SETSID, which glibc defines only with _GNU_SOURCE, is 0x80.
    posix_spawnattr_setflags(
      &attributes,
      Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK) | (isOwnSession ? 0x80 : 0))
    let words = line.map { strdup($0) } + [nil]
    let variables = (environment ?? []).map { strdup($0) } + [nil]
    defer { for text in words + variables { free(text) } }
    var process = pid_t()
    let status =
      environment == nil
      ? posix_spawnp(&process, program, &actions, &attributes, words, environ)
      : posix_spawnp(&process, program, &actions, &attributes, words, variables)
    guard status == 0 else { return nil }
    id = process
  }

  /// Ends it at once, and waits for that.
  package func kill() {
    Glibc.kill(id, SIGKILL)
    wait()
  }

  /// Waits until it has ended; `nil` when that cannot be known.
  @discardableResult
  package func wait() -> End? {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0 {
      guard errno == EINTR else { return nil }
    }
    return End(status: status)
  }

  /// Whether it still runs; otherwise how it ended, which is `nil` when that cannot be known.
  package func look() -> (isRunning: Bool, end: End?) {
    var status: Int32 = 0
    let ended = waitpid(id, &status, WNOHANG)
    return (ended == 0, ended == id ? End(status: status) : nil)
  }
}
