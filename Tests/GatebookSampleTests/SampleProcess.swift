import Glibc
import Testing

/// A sample that was built with these tests, run as a process with piped answers.
struct SampleProcess {
  /// How it ended.
  let exit: Int32
  /// Everything that it printed.
  let transcript: String

  /// Runs a sample to its end.
  ///
  /// - Parameters:
  ///   - name: The sample's name.
  ///   - arguments: Its arguments.
  ///   - folder: Where it makes folders that it throws away.
  ///   - signal: Ends it once it asks for more than the answers; else the input ends there.
  ///   - answers: What is typed, a line each.
  /// - Throws: When it cannot be started.
  init(
    _ name: String, _ arguments: [String] = [], throwingAwayIn folder: String = "/tmp",
    endedBy signal: Int32? = nil, answers: String...
  ) throws {
    let input = try Self.pipe()
    let output = try Self.pipe()
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, input.read, 0)
    for descriptor in Int32(1)...2 {
      posix_spawn_file_actions_adddup2(&actions, output.write, descriptor)
    }
    let text = answers.map { $0 + "\n" }.joined()
    try #require(write(input.write, text, text.utf8.count) == text.utf8.count)
    let process = try Self.spawn(
      try Self.program(name), arguments, ["TMPDIR=\(folder)"], &actions)
    for descriptor in [input.read, output.write] { close(descriptor) }
    if signal == nil { close(input.write) }
    var shown: [UInt8] = []
    if let signal {
      // Its last question is the one that no answer is there for.
      Self.read(output.read, into: &shown) { text in
        text.hasSuffix("or quit:\n") && text.contains("Hello")
      }
      kill(process, signal)
    }
    Self.read(output.read, into: &shown) { _ in false }
    transcript = String(decoding: shown, as: UTF8.self)
    if signal != nil { close(input.write) }
    close(output.read)
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    exit = status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F)
  }

  /// The lines that are no questions.
  var said: [String] {
    transcript.split(separator: "\n").map(String.init).filter { !$0.hasSuffix(":") }
  }

  private static func pipe() throws -> (read: Int32, write: Int32) {
    var ends: [Int32] = [0, 0]
    try #require(Glibc.pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    return (ends[0], ends[1])
  }

  /// It is in the same folder as the test bundle.
  private static func program(_ name: String) throws -> String {
    let path = try #require(realpath("/proc/self/exe", nil))
    defer { free(path) }
    let bundle = String(cString: path)
    let slash = try #require(bundle.lastIndex(of: "/"))
    return "\(bundle[..<slash])/\(name)"
  }

  private static func spawn(
    _ program: String, _ line: [String], _ environment: [String],
    _ actions: inout posix_spawn_file_actions_t
  ) throws -> pid_t {
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    // The threads that tests run on block nearly all signals, and that is inherited.
    var blocked = sigset_t()
    sigemptyset(&blocked)
    posix_spawnattr_setsigmask(&attributes, &blocked)
    let arguments = ([program] + line).map { strdup($0) } + [nil]
    let variables = environment.map { strdup($0) } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var process = pid_t()
    try #require(
      posix_spawn(&process, program, &actions, &attributes, arguments, variables) == 0,
      "there is no \(program)")
    return process
  }

  /// Reads up to the end, or until what was read is enough.
  private static func read(
    _ descriptor: Int32, into content: inout [UInt8], until isEnough: (String) -> Bool
  ) {
    var chunk = [UInt8](repeating: 0, count: 4096)
    while !isEnough(String(decoding: content, as: UTF8.self)) {
      let count = Glibc.read(descriptor, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      content += chunk[..<count]
    }
  }
}
