internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// The built `gatebook`, run as a process of its own.
final class ChildProcess {
  /// Where the child's standard input, output and error lead.
  struct Streams {
    /// Bytes for its standard input, which then ends unless more is to come.
    var input: String = ""
    /// Whether the test writes more to its standard input later.
    var hasMoreInput = false
    /// Whether nobody reads its standard output.
    var hasNoReader = false
    /// Whether its standard output takes nothing before the test reads: the process blocks at the
    /// first line that it prints.
    var hasFullOutput = false
    /// A file that its standard output goes to, such as `/dev/full`.
    var outputFile: String?
    /// A terminal's path: its controlling terminal and all three streams.
    var terminal: String?
    /// A script for a shell, on a terminal with job control, which runs `gatebook` as `"$@"`.
    var shell: String?
  }

  /// How a process ended and what it printed.
  struct Ending {
    let exit: Int32
    let output: String
    let errors: String
  }

  /// The process's id.
  let id: pid_t
  private let output: Int32
  private let errors: Int32
  private var input: Int32 = -1
  private var isOver = false
  /// Whose folder and server the process uses: they must not go before it.
  private let scene: Scene

  /// Starts a process; `nil` for the program is `gatebook`.
  init(
    _ line: [String], in scene: Scene, environment: [String: String], streams: Streams = Streams(),
    program: String? = nil
  ) throws {
    self.scene = scene
    let input = try Self.pipe()
    let output = try Self.pipe()
    let errors = try Self.pipe()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let terminal = streams.terminal {
      for descriptor in Int32(0)...2 {
        posix_spawn_file_actions_addopen(&actions, descriptor, terminal, O_RDWR, 0)
      }
    } else {
      posix_spawn_file_actions_adddup2(&actions, input.read, 0)
      posix_spawn_file_actions_adddup2(&actions, output.write, 1)
      if let file = streams.outputFile {
        posix_spawn_file_actions_addopen(&actions, 1, file, O_WRONLY, 0)
      }
      posix_spawn_file_actions_adddup2(&actions, errors.write, 2)
    }
    if streams.hasNoReader { close(output.read) }
    if streams.hasFullOutput { Self.fill(output.write) }
    let program = try program ?? Self.program()
    let command =
      if let shell = streams.shell {
        ["/bin/sh", "-c", (streams.terminal == nil ? "" : "set -m\n") + shell, "sh", program]
          + line
      } else { [program] + line }
    id = try Self.spawn(command, environment, &actions)
    for descriptor in [input.read, output.write, errors.write] { close(descriptor) }
    // A program that has ended already reads nothing, and must not end the tests.
    Self.ignoresBrokenPipes
    _ = Glibc.write(input.write, streams.input, streams.input.utf8.count)
    if streams.hasMoreInput { self.input = input.write } else { close(input.write) }
    self.output = streams.hasNoReader ? -1 : output.read
    self.errors = errors.read
  }

  /// A child that nobody waited for, because its test failed before, must not stay as a zombie: the
  /// wait for exit tests sees only the first child that ended, and would see that one for ever.
  deinit {
    if input >= 0 { close(input) }
    guard !isOver else { return }
    kill(id, SIGKILL)
    while waitpid(id, nil, 0) < 0, errno == EINTR {}
  }

  /// The name of the program that the process runs now; an ended one has its last program's.
  var name: String? {
    guard let text = try? TextFile.bytes("/proc/\(id)/comm", what: "name", limit: 100) else {
      return nil
    }
    return String(decoding: text.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
  }

  /// The limits of the process, a line each; none of an ended one.
  var limits: [String] {
    let text = try? TextFile.bytes("/proc/\(id)/limits", what: "limits", limit: 10_000)
    return String(decoding: text ?? [], as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Whether the process has ended; ``end()`` tells how.
  var hasEnded: Bool {
    var status = siginfo_t()
    return waitid(P_PID, id_t(id), &status, WEXITED | WNOHANG | WNOWAIT) != 0
      || status.si_signo != 0
  }

  /// Sends a signal.
  func signal(_ number: Int32) {
    kill(id, number)
  }

  /// Stops the process, and returns when all its threads have stopped; `SIGCONT` continues it.
  func freeze() throws {
    signal(SIGSTOP)
    var status = siginfo_t()
    while waitid(P_PID, id_t(id), &status, WSTOPPED | WEXITED | WNOWAIT) < 0 {
      try #require(errno == EINTR)
    }
    try #require(status.si_code == CLD_STOPPED, "it had ended before it could be stopped")
  }

  /// Writes to its standard input.
  func write(_ text: String) {
    _ = Glibc.write(input, text, text.utf8.count)
  }

  /// Reads what it prints, up to a text; ten seconds of silence end it too.
  func read(until text: String) -> String {
    Self.read(output, until: text, silence: 10_000)
  }

  /// The URL of the page that it says to open, on a line of standard error of its own.
  func page() throws -> String {
    while true {
      let line = Self.read(errors, until: "\n", silence: 60_000)
      try #require(line.hasSuffix("\n"), "it ended without a page: \(line)")
      if line.hasPrefix("open http") { return String(line.dropFirst("open ".count).dropLast()) }
    }
  }

  /// The next line of standard error, its end included.
  func nextError() -> String {
    Self.read(errors, until: "\n", silence: 60_000)
  }

  private static func read(_ descriptor: Int32, until text: String, silence: Int32) -> String {
    var shown = ""
    var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    var byte: UInt8 = 0
    while !shown.contains(text), poll(&watched, 1, silence) > 0,
      Glibc.read(descriptor, &byte, 1) == 1
    { shown.unicodeScalars.append(Unicode.Scalar(byte)) }
    return shown
  }

  /// Reads what it prints and waits for its end.
  func end() -> Ending {
    let texts = Self.drain([output, errors])
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    isOver = true
    for descriptor in [output, errors] where descriptor >= 0 { close(descriptor) }
    let exit = status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
    return Ending(exit: exit, output: texts[0], errors: texts[1])
  }

  /// The program that was built with these tests, in the folder of their bundle.
  static func program() throws -> String {
    let path = try #require(realpath("/proc/self/exe", nil))
    defer { free(path) }
    let bundle = String(cString: path)
    let slash = try #require(bundle.lastIndex(of: "/"))
    let program = bundle[..<slash] + "/gatebook"
    try #require(access(String(program), X_OK) == 0, "there is no \(program)")
    return String(program)
  }

  /// A pipe that no child of another test inherits, not even one that is started meanwhile: with
  /// the end to write to it would keep ``end()`` waiting as long as it lives.
  private static func pipe() throws -> (read: Int32, write: Int32) {
    // Glibc's module leaves out pipe2.
    typealias Pipe2 = @convention(c) (UnsafeMutablePointer<Int32>, Int32) -> Int32
    let pipe2 = unsafeBitCast(try #require(dlsym(nil, "pipe2")), to: Pipe2.self)
    var ends: [Int32] = [0, 0]
    try #require(pipe2(&ends, O_CLOEXEC) == 0)
    return (ends[0], ends[1])
  }

  private static func fill(_ descriptor: Int32) {
    let flags = fcntl(descriptor, F_GETFL)
    _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    let blanks = [UInt8](repeating: 0x20, count: 4096)
    while Glibc.write(descriptor, blanks, blanks.count) > 0 {}
    _ = fcntl(descriptor, F_SETFL, flags)
  }

  /// Whether a write to a program that has ended is an error, and no signal.
  private static let ignoresBrokenPipes: Void = { _ = Glibc.signal(SIGPIPE, SIG_IGN) }()

  private static func spawn(
    _ line: [String], _ environment: [String: String],
    _ actions: inout posix_spawn_file_actions_t
  ) throws -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    // A session of its own: the terminal it opens first becomes its controlling one. The flag is
    // POSIX_SPAWN_SETSID, which Glibc's module leaves out.
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK) | 0x80)
    // The threads that tests run on block nearly all signals, and that is inherited too.
    var blocked = sigset_t()
    sigemptyset(&blocked)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    // The parent process may ignore signals, and children inherit that.
    var signals = sigset_t()
    sigemptyset(&signals)
    for signal in [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGTSTP, SIGTTIN, SIGTTOU, SIGQUIT] {
      sigaddset(&signals, signal)
    }
    posix_spawnattr_setsigdefault(&attributes, &signals)
    let arguments = line.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var process = pid_t()
    let status = posix_spawn(&process, line[0], &actions, &attributes, arguments, variables)
    try #require(status == 0)
    return process
  }

  private static func drain(_ descriptors: [Int32]) -> [String] {
    var contents = descriptors.map { _ in [UInt8]() }
    var watched = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while watched.contains(where: { $0.fd >= 0 }) {
      guard poll(&watched, nfds_t(watched.count), -1) > 0 else { continue }
      for index in watched.indices where watched[index].revents != 0 {
        let count = Glibc.read(watched[index].fd, &chunk, chunk.count)
        if count > 0 { contents[index] += chunk[..<count] } else { watched[index].fd = -1 }
      }
    }
    return contents.map { String(decoding: $0, as: UTF8.self) }
  }
}
