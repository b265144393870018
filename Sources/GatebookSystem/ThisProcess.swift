internal import Glibc

/// The process that runs this.
package enum ThisProcess {
  /// Its number; a child after a fork has another.
  package static var id: Int32 { getpid() }

  /// The value of an environment variable.
  package static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Lets another thread run.
  package static func yieldThread() { sched_yield() }

  /// Ends the process at once with an exit status.
  package static func exit(_ status: Int32) -> Never { Glibc.exit(status) }
}
