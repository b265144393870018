internal import Glibc

/// Both ends of a pipe that no child inherits.
package struct Pipe: Sendable {
  /// The descriptor to read from.
  package let output: Int32
  /// The descriptor to write to.
  package let input: Int32

  /// Makes a pipe; `nil` when the process has no descriptors left, and `errno` says why.
  package init?() {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    output = ends[0]
    input = ends[1]
  }
}
