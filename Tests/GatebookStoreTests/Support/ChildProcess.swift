import Glibc
import Testing

/// Another process, whose output is read until it ends.
final class ChildProcess {
  private let process: pid_t
  private let output: Int32

  /// Starts a program from the folder of the test program.
  static func crashingWriter(_ arguments: String...) throws -> ChildProcess {
    let own = try FileBytes.link("/proc/self/exe")
    let folder = try #require(own.lastIndex(of: "/").map { own[..<$0] })
    return try ChildProcess("\(folder)/CrashingWriter", arguments)
  }

  /// Starts a program by its path or its name.
  init(_ program: String, _ arguments: [String]) throws {
    var ends: [Int32] = [0, 0]
    // No pipe: Glibc's module lacks pipe2, and a child of another test must not inherit an end.
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
    output = ends[0]
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    defer { posix_spawn_file_actions_destroy(&actions) }
    var strings = ([program] + arguments).map { strdup($0) }
    defer { for string in strings { free(string) } }
    strings.append(nil)
    var process: pid_t = 0
    let status = posix_spawnp(&process, program, &actions, nil, strings, environ)
    close(ends[1])
    self.process = process
    try #require(status == 0, "\(program): \(String(cString: strerror(status)))")
  }

  /// Waits for the end.
  ///
  /// - Returns: The whole lines that it wrote, and its wait status.
  func finish() -> (lines: [String], status: Int32) {
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(output, &buffer, buffer.count)
      guard count > 0 else { break }
      text += buffer[..<count]
    }
    close(output)
    var status: Int32 = 0
    waitpid(process, &status, 0)
    let lines = text.split(separator: UInt8(ascii: "\n")).map {
      String(decoding: $0, as: UTF8.self)
    }
    return (lines, status)
  }
}
