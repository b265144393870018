internal import Glibc

/// What programs that are started inherit.
extension FileDescriptor {
  /// The open descriptors that a program would inherit, the three standard streams among them.
  package static var inheritable: Set<Int32> {
    // Where `/proc` is not mounted each possible number is tried.
    let listed = Files.names(in: "/proc/self/fd").compactMap { Int32($0) }
    return Set((listed.isEmpty ? Array(0..<limit) : listed).filter(isInheritable))
  }

  /// Every descriptor of this process has a smaller number.
  package static var limit: Int32 {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1_024 }
    return Int32(clamping: limit.rlim_cur)
  }

  /// Whether it is open, and a program that is started inherits it.
  package static func isInheritable(_ descriptor: Int32) -> Bool {
    let flags = fcntl(descriptor, F_GETFD)
    return flags >= 0 && flags & FD_CLOEXEC == 0
  }

  /// Keeps a descriptor from programs that are started.
  package static func keepBack(_ descriptor: Int32) {
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  /// Gives an open file another number too, which programs that are started inherit; what had that
  /// number before is closed.
  package static func hand(_ descriptor: Int32, as number: Int32) -> Bool {
    // The same number would keep its mark.
    guard descriptor != number else { return fcntl(number, F_SETFD, 0) == 0 }
    return dup2(descriptor, number) == number
  }
}
