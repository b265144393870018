internal import Glibc
internal import Testing

/// The program `gatebook` while it waits: it can be answered, killed, and heard to its end.
final class RunningTool {
  /// Longer than any machine is busy, in milliseconds: a program that says nothing for so long
  /// hangs.
  private static let patience: Int32 = 120_000

  private let process: pid_t
  private let output: Int32
  /// Leads to its standard input and, as a terminal does, to its standard error.
  private let line: Int32
  private var heard: [UInt8] = []
  private var isOver = false

  /// It says nothing and does not end.
  struct Silent: Error {}

  init(_ program: String, _ arguments: [String], environment: [String: String]) throws {
    var ends: [Int32] = [-1, -1]
    // Closed in other children from the start: a server that another test starts now would keep it
    // open.
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
    defer { close(ends[1]) }
    line = ends[0]
    output = try ChildProcess.unnamedFile()
    process = try ChildProcess.spawn(
      [program] + arguments, environment: environment, files: [ends[1], output, ends[1]])
  }

  deinit {
    if !isOver { kill() }
    close(line)
    close(output)
  }

  /// Writes a line to its standard input.
  func answer(_ text: String) { write(text + "\n") }

  /// Writes to its standard input, without a line's end.
  func write(_ text: String) {
    let bytes = Array(text.utf8)
    _ = send(line, bytes, bytes.count, Int32(MSG_NOSIGNAL))
  }

  /// Ends its standard input.
  func endInput() { shutdown(line, Int32(SHUT_WR)) }

  /// The URL of the page that it says to open.
  func page() throws -> String { try word(after: "open ") }

  /// What it says to enter on that page.
  func code() throws -> String { try word(after: "enter ") }

  /// Waits until it has begun a line in this way.
  func hear(_ start: String) throws { _ = try word(after: start) }

  func word(after start: String) throws -> String {
    while true {
      let lines = said.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
      if let line = lines.first(where: { $0.hasPrefix(start) }) {
        return String(line.dropFirst(start.count))
      }
      try #require(try hear(), "it ended without `\(start)`: \(said)")
    }
  }

  /// Ends it as a loss of power would.
  func kill() {
    Glibc.kill(process, SIGKILL)
    _ = ChildProcess.wait(for: process)
    isOver = true
  }

  /// Lets another process do that after a while, and waits until it is done.
  func kill(afterMilliseconds count: Int) throws {
    let seconds = "\(count / 1000).\(String(1000 + count % 1000).dropFirst())"
    let killer = try ChildProcess.run(
      "sh", ["-c", "sleep \(seconds); kill -KILL \(process)"],
      environment: TestServers.environment)
    // It stays a zombie until it is waited for, so that its number is nobody else's.
    try #require(killer.status == 0, "\(killer.errors)")
    kill()
  }

  /// Asks it to end, as Ctrl-C does.
  func interrupt() { Glibc.kill(process, SIGINT) }

  /// Waits for its end.
  func end() throws -> ChildProcess {
    while try hear() {}
    let status = ChildProcess.wait(for: process)
    isOver = true
    return ChildProcess(status: status, output: ChildProcess.text(of: output), errors: said)
  }

  private var said: String { String(decoding: heard, as: UTF8.self) }

  /// Hears what it says next; false when it says nothing more.
  private func hear() throws -> Bool {
    var watched = pollfd(fd: line, events: Int16(POLLIN), revents: 0)
    var count: Int32
    repeat { count = poll(&watched, 1, Self.patience) } while count == -1 && errno == EINTR
    guard count > 0 else { throw Silent() }
    var chunk: [UInt8] = Array(repeating: 0, count: 4096)
    let size = recv(line, &chunk, chunk.count, 0)
    guard size > 0 else { return false }
    heard += chunk.prefix(size)
    return true
  }
}
