internal import Glibc
internal import Testing

/// A TLS server on loopback: OpenSSL's own, with a certificate that signs itself.
struct TLSPeer {
  let port: Int
  /// The PEM file of its certificate.
  let certificate: String

  /// Whether the machine has the `openssl` command.
  static let isAvailable = access("/usr/bin/openssl", X_OK) == 0

  /// Runs a server while the body runs; its certificate is for a name such as `IP:127.0.0.1`.
  static func run<Result>(
    name: String, _ body: (TLSPeer) async throws -> Result
  ) async throws -> Result {
    var template = Array("/tmp/gatebook-tls-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    let folder = text(template)
    defer {
      for file in ["key.pem", "certificate.pem"] { unlink("\(folder)/\(file)") }
      rmdir(folder)
    }
    let (key, certificate) = ("\(folder)/key.pem", "\(folder)/certificate.pem")
    let maker = try start([
      "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
      "-keyout", key, "-out", certificate, "-days", "2", "-subj", "/CN=Gatebook test",
      "-addext", "subjectAltName=\(name)",
    ])
    var status: CInt = 0
    waitpid(maker.process, &status, 0)
    fclose(maker.output)
    try #require(status == 0)

    let server = try start([
      "s_server", "-accept", "127.0.0.1:0", "-key", key, "-cert", certificate, "-www",
    ])
    defer {
      kill(server.process, SIGKILL)
      waitpid(server.process, &status, 0)
      fclose(server.output)
    }
    return try await body(TLSPeer(port: try port(in: server.output), certificate: certificate))
  }

  /// Reads lines until the one that says where the server listens: `ACCEPT 127.0.0.1:43210`.
  private static func port(in output: UnsafeMutablePointer<FILE>) throws -> Int {
    var line = [CChar](repeating: 0, count: 256)
    while fgets(&line, CInt(line.count), output) != nil {
      let text = text(line).prefix { $0 != "\n" }
      guard text.hasPrefix("ACCEPT "), let colon = text.lastIndex(of: ":") else { continue }
      return try #require(Int(text[text.index(after: colon)...]))
    }
    throw NoPort()
  }

  private struct NoPort: Error {}

  /// A C string in a buffer.
  private static func text(_ buffer: [CChar]) -> String {
    let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    // swift-format-ignore: OptionalDataStringConversion
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Starts the `openssl` command with its output in a pipe.
  private static func start(
    _ arguments: [String]
  ) throws -> (process: pid_t, output: UnsafeMutablePointer<FILE>) {
    var ends: [CInt] = [0, 0]
    try #require(pipe(&ends) == 0)
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var vector = (["openssl"] + arguments).map { strdup($0) } + [nil]
    defer { for text in vector { free(text) } }
    var process = pid_t()
    let status = posix_spawn(&process, "/usr/bin/openssl", &actions, nil, &vector, environ)
    close(ends[1])
    try #require(status == 0)
    return (process, try #require(fdopen(ends[0], "r")))
  }
}
