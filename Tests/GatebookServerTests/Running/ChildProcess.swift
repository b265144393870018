internal import Glibc

/// A program run to its end, and what it said.
struct ChildProcess {
  /// The exit status; 128 and the signal's number when a signal ended it.
  let status: Int32
  let output: String
  let errors: String

  /// It could not be started.
  struct Failure: Error {
    let program: String
    let errno: Int32
  }

  /// Runs a program with exactly this environment and waits for it, at most a minute.
  ///
  /// Its output goes to unnamed files, not to pipes: a server that it leaves running would keep a
  /// pipe open, and a full pipe would stop it.
  static func run(
    _ program: String, _ arguments: [String], environment: [String: String], input: String = ""
  ) throws -> ChildProcess {
    let files = try (0..<3).map { _ in try unnamedFile() }
    defer { for file in files { close(file) } }
    let bytes = Array(input.utf8)
    guard pwrite(files[0], bytes, bytes.count, 0) == bytes.count else {
      throw Failure(program: program, errno: errno)
    }
    let process = try spawn(
      // An end for a program that waits for an answer: 124 then is the status.
      ["timeout", "60", program] + arguments, environment: environment, files: files)
    return ChildProcess(
      status: wait(for: process), output: text(of: files[1]), errors: text(of: files[2]))
  }

  /// Waits for a program's end and returns its status.
  static func wait(for process: pid_t) -> Int32 {
    var status: Int32 = 0
    while waitpid(process, &status, 0) == -1, errno == EINTR {}
    let signal = status & 0x7f
    return signal == 0 ? status >> 8 & 0xff : 128 + signal
  }

  /// Starts a program with exactly this environment and these files as its standard ones.
  static func spawn(
    _ words: [String], environment: [String: String], files: [Int32]
  ) throws -> pid_t {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    for (target, file) in files.enumerated() {
      posix_spawn_file_actions_adddup2(&actions, file, Int32(target))
    }
    // The threads that tests run on block nearly all signals, and a child inherits that: neither it
    // nor a server that it starts could ever be ended.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var signals = sigset_t()
    sigemptyset(&signals)
    posix_spawnattr_setsigmask(&attributes, &signals)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
    let variables = environment.map { "\($0)=\($1)" }
    var process: pid_t = 0
    let problem = withCStrings(words) { arguments in
      withCStrings(variables) { variables in
        posix_spawnp(&process, words[0], &actions, &attributes, arguments, variables)
      }
    }
    guard problem == 0 else { throw Failure(program: words[0], errno: problem) }
    return process
  }

  private static func withCStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) -> Result
  ) -> Result {
    let pointers = texts.map { strdup($0) }
    defer { for pointer in pointers { free(pointer) } }
    return body(pointers + [nil])
  }

  /// Closed automatically in the child: `dup2` makes the three that it keeps.
  static func unnamedFile() throws -> Int32 {
    var path = Array("/tmp/gatebook-child.XXXXXX".utf8CString)
    let file = mkstemp(&path)
    guard file >= 0, fcntl(file, F_SETFD, FD_CLOEXEC) == 0 else {
      throw Failure(program: "mkstemp", errno: errno)
    }
    unlink(path)
    return file
  }

  /// What such a file contains now.
  static func text(of file: Int32) -> String {
    var bytes: [UInt8] = []
    var chunk: [UInt8] = Array(repeating: 0, count: 65_536)
    while true {
      let count = pread(file, &chunk, chunk.count, bytes.count)
      guard count > 0 else { return String(decoding: bytes, as: UTF8.self) }
      bytes += chunk.prefix(count)
    }
  }
}
