import GatebookSystem
import Glibc
import Testing

/// The built `gatebook`, run as a process of its own; killed with its last reference.
final class GatebookProcess {
  /// How it ended and what it printed.
  struct Ending {
    let exit: Int32
    let output: String
    let errors: String
  }

  private let process: ChildProcess
  private let folder: TestFolder
  private var isOver = false

  /// Starts it; its home is an empty folder.
  ///
  /// - Parameters:
  ///   - line: The words after `gatebook`.
  ///   - environment: More variables of its environment.
  ///   - shell: A script that runs it as `"$@"`, with mounts of its own; `nil` runs it directly.
  /// - Throws: It cannot be started.
  init(
    _ line: [String], environment: [String: String] = [:], under shell: String? = nil
  ) throws {
    folder = try TestFolder()
    let output = try #require(OpenFile.open(folder.file("output"), .new))
    let errors = try #require(OpenFile.open(folder.file("errors"), .new))
    let variables = [
      "PATH": "/usr/bin:/bin", "HOME": folder.path, "LC_ALL": "C.UTF-8", "TZ": "UTC",
      // No test waits for a name server that is out of reach.
      "RES_OPTIONS": "timeout:1 attempts:1",
    ].merging(environment) { $1 }
    let words = [try Self.program()] + line
    let whole = shell.map { ["unshare", "-rm", "sh", "-c", $0, "sh"] + words } ?? words
    process = try #require(
      ChildProcess(
        whole[0], whole, environment: variables.map { "\($0)=\($1)" },
        streams: [.nothing, .descriptor(output.descriptor), .descriptor(errors.descriptor)]))
  }

  deinit {
    if !isOver { process.kill() }
  }

  /// Runs it to its end.
  static func run(
    _ line: [String], environment: [String: String] = [:], under shell: String? = nil
  ) throws -> Ending {
    try GatebookProcess(line, environment: environment, under: shell).end()
  }

  /// The number of the process.
  var id: Int32 { process.id }

  /// What it printed on standard output so far.
  var output: String { Files.text(of: folder.file("output")) }

  /// What it printed on standard error so far.
  var errors: String { Files.text(of: folder.file("errors")) }

  /// Whether it still runs; ``end()`` tells how it ended.
  var isRunning: Bool {
    // `Z` is a process that has ended and that nobody waited for.
    let stat = Files.text(of: "/proc/\(id)/stat")
    guard let name = stat.lastIndex(of: ")") else { return false }
    return !stat[name...].hasPrefix(") Z")
  }

  /// Ends it as the kernel ends a process: it can do nothing about it.
  func kill() {
    isOver = true
    process.kill()
  }

  /// Asks it to end, as Ctrl-C does.
  func interrupt() { Glibc.kill(id, SIGINT) }

  /// Waits for its end.
  func end() -> Ending {
    isOver = true
    let exit = process.wait()?.code ?? -1
    return Ending(exit: exit, output: output, errors: errors)
  }

  /// The program that was built with these tests, in the folder of their bundle.
  static func program() throws -> String {
    let bundle = try #require(ThisProcess.program(of: ThisProcess.id))
    let program = try #require(bundle.lastIndex(of: "/").map { bundle[..<$0] + "/gatebook" })
    try #require(Files.isExecutable(String(program)), "there is no \(program)")
    return String(program)
  }
}
