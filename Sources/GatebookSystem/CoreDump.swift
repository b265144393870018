internal import CLinux
internal import Glibc

/// The memory of this process as a file, which a crash would leave, with passwords and tokens in
/// it.
package enum CoreDump {
  /// The limit that the process was started with; a program that replaces it gets that limit back.
  private static let inherited = Locked<rlim_t?>(nil)

  /// Makes sure that none is written, whatever happens and whatever the shell allows.
  ///
  /// Nor may another process of the same user look into this one; what others must know of it, such
  /// as who holds a lock, is in files.
  package static func forbid() {
    var limit = rlimit()
    if getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0 {
      inherited.withLock { $0 = limit.rlim_cur }
      limit.rlim_cur = 0
      setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
    }
    _ = gatebook_forbid_dumps()
  }

  /// Takes the limit back, for a program in the place of this one; this one writes none even so.
  static func handLimitOn() {
    var limit = rlimit()
    guard let former = inherited.withLock({ $0 }),
      getrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit) == 0
    else { return }
    limit.rlim_cur = former
    setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &limit)
  }
}
