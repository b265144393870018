internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// An account with a token at a server of its own, and programs that `gatebook exec` runs with it.
final class ExecScene {
  let scene: Scene
  let server: FakeIdentityServer

  /// Where the folders of tokens are.
  var runtime: String { "\(scene.folder)/run" }

  /// A script that runs `gatebook` without the descriptors that tests inherit.
  static let closing = #"exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&- "$@""#

  init(lifetime: Duration = .seconds(3600)) throws {
    scene = try Scene()
    server = try FakeIdentityServer()
    server.settings.lifetime = lifetime
    try server.start()
    try #require(mkdir(runtime, 0o700) == 0)
    try logIn()
  }

  deinit { server.stop() }

  func logIn(environment: [String: String] = [:], _ more: [String] = []) throws {
    let ending = try scene.start(
      server.line("oidc", "password", ["--password-stdin", "--label", "work"] + more),
      ChildProcess.Streams(
        input: "\(FakeIdentityServer.user)\n\(FakeIdentityServer.password)\n"),
      environment: environment
    ).end()
    try #require(ending.exit == 0, "\(ending.errors)")
  }

  /// Starts a program by `gatebook exec`.
  func start(
    _ options: [String], program: [String],
    _ streams: ChildProcess.Streams = ChildProcess.Streams()
  ) throws -> ChildProcess {
    try scene.start(
      ["exec"] + options + ["--"] + program, streams,
      environment: ["PATH": "/usr/bin:/bin", "XDG_RUNTIME_DIR": runtime])
  }

  /// Starts a script of the shell by `gatebook exec`.
  func start(
    _ options: [String], _ script: String, _ streams: ChildProcess.Streams = ChildProcess.Streams()
  ) throws -> ChildProcess {
    try start(options, program: ["/bin/sh", "-c", script], streams)
  }

  /// The token that `gatebook token` prints.
  func token() throws -> String {
    let ending = try scene.run("token")
    try #require(ending.exit == 0, "\(ending.errors)")
    return String(ending.output.dropLast())
  }

  /// What is in the folder for files that end with a run.
  func leftovers() throws -> [String] {
    try Repository.run("ls -A \(runtime)").output.split(separator: "\n").map(String.init)
  }

  /// The process that renews a program's token.
  func renewer() throws -> pid_t {
    for process in try Self.processes() {
      let line = Self.text("cmdline", of: process)
      if line.contains("__renew\0"), line.contains("\0--detached"), line.contains(runtime) {
        return process
      }
    }
    throw Missing()
  }

  struct Missing: Error {}

  /// All processes.
  static func processes() throws -> [pid_t] {
    try Repository.run("ls /proc").output.split(separator: "\n").compactMap { pid_t($0) }
  }

  /// The signals that a process ignores.
  static func ignored(by process: pid_t) -> Set<Int32> {
    let mask = text("status", of: process).firstMatch(of: /SigIgn:\t([0-9a-f]+)/)
      .flatMap { UInt64($0.1, radix: 16) }
    return Set((1...64).filter { (mask ?? 0) & (1 << ($0 - 1)) != 0 })
  }

  /// A file of a process's folder in `/proc`; empty where it cannot be read.
  static func text(_ name: String, of process: pid_t) -> String {
    let bytes = try? TextFile.bytes("/proc/\(process)/\(name)", what: name, limit: 1_000_000)
    return String(decoding: bytes ?? [], as: UTF8.self)
  }
}

/// A way in which a program gets its token.
enum TokenWay: String, CaseIterable, Sendable {
  case env
  case file
  case fd

  /// The ways that are renewed.
  static let renewed = [file, fd]

  var options: [String] {
    switch self {
    case .env: ["--env", "API_TOKEN"]
    case .file: ["--file", "API_TOKEN_FILE"]
    case .fd: ["--fd", "7"]
    }
  }

  /// How a shell prints the token.
  var show: String {
    switch self {
    case .env: #"printf %s "$API_TOKEN""#
    case .file: #"cat "$API_TOKEN_FILE""#
    case .fd: "cat /dev/fd/7"
    }
  }

  /// A script that says that it runs, waits for another token and prints it; after a minute it ends
  /// without one.
  var untilRenewed: String {
    """
    first=$(\(show)); echo "ready $first"; looks=0
    while now=$(\(show)); [ "$now" = "$first" ] || [ -z "$now" ]; do
      looks=$((looks + 1)); [ $looks -lt 4000 ] || { echo "not renewed"; exit 9; }
      sleep 0.01
    done
    echo "renewed $now"
    """
  }
}
