internal import Glibc
internal import Testing

/// Another program, of Debian's, that runs until it is stopped or ends.
final class Daemon {
  let id: pid_t
  private let output: Int32
  private var isOver = false

  /// Starts a program by its name; what it says on standard error goes nowhere.
  init(_ line: [String], _ environment: [String: String], input: String = "") throws {
    var ends: [Int32] = [0, 0, 0, 0]
    try #require(ends.withUnsafeMutableBufferPointer { pipe($0.baseAddress) } == 0)
    try #require(ends.withUnsafeMutableBufferPointer { pipe($0.baseAddress.map { $0 + 2 }) } == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
    posix_spawn_file_actions_adddup2(&actions, ends[3], 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    posix_spawnattr_setflags(
      &attributes, Int16(POSIX_SPAWN_SETSIGDEF) | Int16(POSIX_SPAWN_SETSIGMASK))
    // The threads that tests run on block nearly all signals, and that is inherited.
    var none = sigset_t()
    sigemptyset(&none)
    posix_spawnattr_setsigmask(&attributes, &none)
    var all = sigset_t()
    sigfillset(&all)
    posix_spawnattr_setsigdefault(&attributes, &all)
    let arguments = line.map { strdup($0) } + [nil]
    let variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { for text in arguments + variables { free(text) } }
    var process = pid_t()
    let status = posix_spawnp(&process, line[0], &actions, &attributes, arguments, variables)
    close(ends[0])
    close(ends[3])
    _ = Glibc.write(ends[1], input, input.utf8.count)
    close(ends[1])
    output = ends[2]
    id = process
    guard status == 0 else {
      isOver = true
      close(output)
      try #require(status == 0, "\(line[0]): tools/install test installs it")
      return
    }
  }

  deinit {
    stop()
  }

  /// Ends it at once.
  func stop() {
    guard !isOver else { return }
    kill(id, SIGKILL)
    _ = end()
  }

  /// The first line that it prints.
  func firstLine() -> String {
    var line = ""
    var byte: UInt8 = 0
    var watched = pollfd(fd: output, events: Int16(POLLIN), revents: 0)
    while !line.hasSuffix("\n"), poll(&watched, 1, 60_000) > 0, read(output, &byte, 1) == 1 {
      line.unicodeScalars.append(Unicode.Scalar(byte))
    }
    return line
  }

  /// Waits for its end; what it printed since.
  func end() -> (exit: Int32, output: String) {
    guard !isOver else { return (-1, "") }
    var text: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while true {
      let count = read(output, &chunk, chunk.count)
      guard count > 0 else { break }
      text += chunk[..<count]
    }
    close(output)
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    isOver = true
    return (
      status & 0x7F == 0 ? status >> 8 & 0xFF : -(status & 0x7F),
      String(decoding: text, as: UTF8.self)
    )
  }
}
