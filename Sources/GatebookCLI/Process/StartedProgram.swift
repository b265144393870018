internal import Glibc

/// A program that was started for the person and is left to itself.
struct StartedProgram: Sendable {
  private let id: pid_t

  /// Starts a program without a shell, with nothing to read and nowhere to print; `nil` when it
  /// cannot be started.
  ///
  /// It has a session of its own: Ctrl-C on the terminal is for Gatebook.
  ///
  /// - Parameter line: The program, looked for in `PATH`, and its arguments.
  init?(_ line: [String]) {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for descriptor in Int32(0)...2 {
      posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
    }
    // 0x80 is POSIX_SPAWN_SETSID, which Glibc's module leaves out.
    var attributes = SpawnAttributes(flags: 0x80)
    let arguments = line.map { strdup($0) } + [nil]
    defer { for text in arguments { free(text) } }
    var process = pid_t()
    guard let name = line.first,
      posix_spawnp(&process, name, &actions, &attributes.value, arguments, environ) == 0
    else { return nil }
    id = process
  }

  /// Whether it ends with a failure.
  ///
  /// - Parameter limit: How long to wait for its end; `nil` for as long as it runs.
  /// - Returns: `false` too when it still runs then, or the caller was cancelled.
  func fails(within limit: Duration? = nil) async -> Bool {
    let start = ContinuousClock.now
    var status: Int32 = 0
    while true {
      let ended = waitpid(id, &status, WNOHANG)
      guard ended == 0 else { return ended == id && status != 0 }
      if let limit, ContinuousClock.now - start > limit { return false }
      guard (try? await Task.sleep(for: .milliseconds(50))) != nil else { return false }
    }
  }
}

/// How a program that Gatebook starts begins: with the signals of a program that a shell starts.
struct SpawnAttributes: ~Copyable {
  /// What `posix_spawn` takes.
  var value = posix_spawnattr_t()

  /// Makes attributes.
  ///
  /// - Parameter flags: Further flags of `posix_spawnattr_setflags`.
  init(flags: Int16 = 0) {
    posix_spawnattr_init(&value)
    // This process ignores SIGPIPE, and a child would inherit that.
    var pipes = sigset_t()
    sigemptyset(&pipes)
    sigaddset(&pipes, SIGPIPE)
    posix_spawnattr_setsigdefault(&value, &pipes)
    posix_spawnattr_setflags(&value, Int16(POSIX_SPAWN_SETSIGDEF) | flags)
  }

  deinit {
    var value = value
    posix_spawnattr_destroy(&value)
  }
}
