internal import Glibc

/// The process that runs this.
package enum ThisProcess {
  /// Its number; a child after a fork has another.
  package static var id: Int32 { getpid() }

  /// The value of an environment variable.
  package static func environment(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// Takes a variable out of the environment, for this process and those that it starts.
  package static func removeEnvironment(_ name: String) { unsetenv(name) }

  /// The name of the machine.
  package static var hostName: String? {
    let name = Files.text(of: "/proc/sys/kernel/hostname").prefix { $0 != "\n" }
    return name.isEmpty ? nil : String(name)
  }

  /// How many cores the machine uses, 1 at least.
  package static var coreCount: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  /// The folder that relative paths begin at.
  package static var folder: String? {
    guard let folder = getcwd(nil, 0) else { return nil }
    defer { free(folder) }
    return String(cString: folder)
  }

  /// Whether there is no process of this number.
  package static func isGone(_ process: Int32) -> Bool {
    kill(process, 0) != 0 && errno == ESRCH
  }

  /// When a process began, in ticks since the machine's start; `nil` for no such process.
  ///
  /// Anybody may know.
  package static func start(of process: Int32) -> Int64? {
    status(of: process, 19)
  }

  /// The process that started another one, or has taken its place; `nil` for no such process.
  package static func parent(of process: Int32) -> Int32? {
    status(of: process, 1).flatMap { $0 > 0 ? Int32(clamping: $0) : nil }
  }

  /// The file of the program that a process runs; `nil` where the system does not tell it.
  package static func program(of process: Int32) -> String? {
    Files.target(ofLink: "/proc/\(process)/exe")
  }

  /// A number that `/proc/PID/stat` tells of a process, counted from its state on.
  private static func status(of process: Int32, _ place: Int) -> Int64? {
    // The second field is the program's name in parentheses, which may have blanks in it.
    guard let bytes = Files.content(of: "/proc/\(process)/stat"),
      let name = bytes.lastIndex(of: UInt8(ascii: ")"))
    else { return nil }
    let fields = bytes[(name + 1)...].split(separator: UInt8(ascii: " "))
    return fields.count > place ? Int64(String(decoding: fields[place], as: UTF8.self)) : nil
  }

  /// The name of the thread that asks, unique while it lives.
  package static var thread: UInt { UInt(pthread_self()) }

  /// Lets another thread run.
  package static func yieldThread() { sched_yield() }

  /// Writes what `print` has kept back.
  package static func flush() { fflush(nil) }

  /// Ends the process with an exit status.
  package static func exit(_ status: Int32) -> Never { Glibc.exit(status) }

  /// Ends the process with an exit status, and runs nothing that waits for its end.
  package static func exitAtOnce(_ status: Int32) -> Never { _exit(status) }
}
