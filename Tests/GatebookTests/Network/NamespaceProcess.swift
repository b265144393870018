import Glibc
import Testing

/// A program beside the tests, run in a network namespace of its own.
struct NamespaceProcess {
  /// What it printed, and its exit.
  let lines: [String]
  let exit: Int32

  /// Runs a program to its end.
  ///
  /// - Parameters:
  ///   - name: The program, built with these tests.
  ///   - limit: After so many seconds it is ended.
  /// - Throws: Where it cannot be started.
  init(_ name: String, limit: Int) throws {
    let own = try #require(realpath("/proc/self/exe", nil))
    defer { free(own) }
    let folder = try #require(String(cString: own).split(separator: "/").dropLast().nonEmpty)
    let program = "/" + folder.joined(separator: "/") + "/" + name
    try self.init(Self.unshare + ["timeout", "\(limit)", program])
  }

  /// Whether this machine lets its user make network namespaces; a container may forbid it.
  static let isAllowed = works(unshare)

  /// The line that makes one: with a user namespace around it, or where those are forbidden, by
  /// root's own right.
  private static let unshare = works(["unshare", "-rn"]) ? ["unshare", "-rn"] : ["unshare", "-n"]

  private static func works(_ line: [String]) -> Bool {
    (try? NamespaceProcess(line + ["true"]))?.exit == 0
  }

  private init(_ line: [String]) throws {
    var ends: [Int32] = [0, 0]
    // No pipe: Glibc's module lacks pipe2, and a child of another test must not inherit an end.
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
    defer { close(ends[0]) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    let arguments = line.map { strdup($0) } + [nil]
    defer { for text in arguments { free(text) } }
    var process = pid_t()
    let status = posix_spawnp(&process, line[0], &actions, nil, arguments, environ)
    close(ends[1])
    try #require(status == 0, "\(line[0]): \(String(cString: strerror(status)))")
    var text: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(ends[0], &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { break }
      text += buffer[..<count]
    }
    var ending: Int32 = 0
    while waitpid(process, &ending, 0) < 0, errno == EINTR {}
    exit = ending & 0x7F == 0 ? ending >> 8 & 0xFF : -(ending & 0x7F)
    lines = String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}

extension Collection {
  fileprivate var nonEmpty: Self? { isEmpty ? nil : self }
}
