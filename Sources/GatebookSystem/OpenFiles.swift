internal import Glibc

/// How many files and sockets the process may have open.
package enum OpenFiles {
  /// Allows as many as the system lets the process have: the usual limit, 1024, is for programs
  /// that wait with select(2).
  package static func raiseLimit() {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0,
      limit.rlim_cur < limit.rlim_max
    else { return }
    limit.rlim_cur = min(limit.rlim_max, 65_536)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
  }
}
