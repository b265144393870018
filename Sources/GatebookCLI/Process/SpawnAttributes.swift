internal import Glibc

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
