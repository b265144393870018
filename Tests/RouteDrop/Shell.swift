internal import Glibc

/// Runs commands of the network's administrator.
enum Shell {
  /// Runs a command to its end.
  ///
  /// - Returns: Whether it succeeded.
  static func run(_ command: String) -> Bool {
    // Debian keeps `ip` where only root looks for it.
    let line = "PATH=$PATH:/usr/sbin:/sbin; \(command)"
    let words = ["sh", "-c", line]
    var arguments = words.map { strdup($0) } + [nil]
    defer { for text in arguments { free(text) } }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var process = pid_t()
    guard posix_spawn(&process, "/bin/sh", &actions, nil, &arguments, environ) == 0 else {
      return false
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0 {
      guard errno == EINTR else { return false }
    }
    return status == 0
  }
}
