internal import Glibc
internal import Testing

/// Servers on loopback, with TLS, that take an access token: a web server with WebDAV, IMAP, SMTP,
/// and AWS's STS.
///
/// They show each token to the authorization server that gave it out. They end when this process
/// does, because their standard input ends with it.
final class BearerServer: Sendable {
  /// All that they keep: `files`, `mail`, `log`, and the certificate.
  let folder: String
  private let ports: [String: Int]
  private let process: pid_t
  private let line: Int32

  /// Those that all tests share, for the tokens of the shared authorization server.
  static func shared() throws -> BearerServer { try common.get() }

  private static let common = Result { try BearerServer(for: .shared()) }

  /// Starts them.
  init(for authority: OAuth2Server) throws {
    let servers = TestServers.sources + "/tools/servers"
    let python = try ChildProcess.run(
      servers + "/python", ["path"], environment: TestServers.environment)
    try #require(python.status == 0, "tools/servers/python make was not run")
    folder = try TestServers.folder("bearer")
    var ends: [Int32] = [-1, -1]
    let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    try #require(socketpair(AF_UNIX, type, 0, &ends) == 0)
    line = ends[0]
    let words = [
      String(python.output.dropLast()), "-B", servers + "/bearer/server.py", folder,
      authority.checkURL, authority.issuer,
    ]
    do {
      defer { close(ends[1]) }
      process = try ChildProcess.spawn(
        words, environment: TestServers.environment, files: [ends[1], ends[1], ends[1]])
    }
    let said = Self.read(line)
    let addresses = said.split(separator: "\n").map { $0.split(separator: " ") }
    ports = Dictionary(
      addresses.compactMap { words in
        words.count == 2 ? Int(words[1]).map { (String(words[0]), $0) } : nil
      }
    ) { $1 }
    try #require(ports.count == 4, "\(said)")
  }

  deinit {
    close(line)
    _ = ChildProcess.wait(for: process)
  }

  /// The port of `web`, `imap`, `smtp` or `proxy`, through which STS is reached.
  func port(_ name: String) throws -> Int { try #require(ports[name]) }

  /// What clients are to trust.
  var certificate: String { folder + "/ca.pem" }

  /// What the servers say until they are up, or what prevents that.
  private static func read(_ line: Int32) -> String {
    var said: [UInt8] = []
    var chunk: [UInt8] = Array(repeating: 0, count: 4096)
    var watched = pollfd(fd: line, events: Int16(POLLIN), revents: 0)
    while !String(decoding: said, as: UTF8.self).contains("\nready\n"),
      poll(&watched, 1, 60_000) > 0
    {
      let count = recv(line, &chunk, chunk.count, 0)
      guard count > 0 else { break }
      said += chunk.prefix(count)
    }
    return String(decoding: said, as: UTF8.self)
  }
}
