internal import Foundation
internal import Testing

/// A real Apache on loopback, with HTTP and, on more ports, with TLS.
final class ApacheServer {
  /// A port with TLS, by what a client finds there.
  enum Listener: String, CaseIterable, CustomStringConvertible {
    /// A chain up to the root, and client certificates where the path asks for them.
    case good
    case expired
    case wrongHost = "wrong-host"
    case selfSigned = "self-signed"
    /// No handshake without a client's certificate.
    case clientRequired = "client-required"

    var description: String { rawValue }
  }

  /// Where it is without TLS.
  let base: String
  let certificates: CertificateFiles
  private let process: ServerProcess

  /// The one that all tests share; it must not be stopped.
  static func shared() throws -> ApacheServer {
    try ApacheServer(ServerProcess(shared: .apache, in: TestServers.apache))
  }

  /// One for a test alone, which may stop it and start it again.
  ///
  /// The environment takes what the script offers, such as `DIGEST_TTL`.
  static func own(_ environment: [String: String] = [:]) throws -> ApacheServer {
    try ApacheServer(ServerProcess(own: .apache, environment: environment))
  }

  private init(_ process: ServerProcess) throws {
    self.process = process
    base = try process.address("base")
    certificates = CertificateFiles(folder: process.folder + "/pki")
  }

  /// Where it is with TLS.
  func base(_ listener: Listener) throws -> String { try process.address(listener.rawValue) }

  /// What only Digest opens.
  var digestURL: String { base + "/digest/" }

  /// What only a client's certificate opens, on the listener that does without it elsewhere.
  var certificateURL: String {
    get throws { try base(.good) + "/cert/" }
  }

  func stop() throws { try process.stop() }

  /// Starts it where it was.
  func startAgain() throws { try process.startAgain() }

  /// What was asked for with this text in its URL, in no order: `user path status`, with `-` for
  /// nobody's.
  func requests(with text: String) throws -> [String] {
    try ApacheLog(base: base, file: process.folder + "/access.log").requests(with: text).sorted()
  }

  /// Starts it again; one of its listeners then uses the key and certificate of another one.
  func show(_ other: Listener, at listener: Listener) throws {
    try replace(listener, by: certificates.folder + "/" + other.rawValue)
  }

  /// Starts it again with a new self-signed certificate for one listener.
  func makeKey(at listener: Listener) throws {
    let made = try ChildProcess.run(
      TestServers.sources + "/tools/servers/apache/make-pki", [process.folder + "/new-pki"],
      environment: TestServers.environment)
    try #require(made.status == 0, "\(made.errors)")
    try replace(listener, by: process.folder + "/new-pki/self-signed")
  }

  private func replace(_ listener: Listener, by files: String) throws {
    try stop()
    for kind in ["pem", "key", "pin"] {
      let path = "\(certificates.folder)/\(listener).\(kind)"
      try FileManager.default.removeItem(atPath: path)
      try FileManager.default.copyItem(atPath: "\(files).\(kind)", toPath: path)
    }
    try startAgain()
  }

  /// Changes a user's password at the server to `changed-` and the name.
  func changePassword(of user: String) throws {
    try process.requireOwn()
    let password = "changed-\(user)"
    let result = try ChildProcess.run(
      "htpasswd", ["-i", "-5", process.folder + "/htpasswd", user],
      environment: TestServers.environment, input: password + "\n")
    try #require(result.status == 0, "\(result.errors)")
    try changeDigest(of: user, to: password)
  }

  /// One line for each user: name, realm, H(name:realm:password).
  private func changeDigest(of user: String, to password: String) throws {
    let file = process.folder + "/htdigest"
    let start = "\(user):digest-area:"
    let hash = try ChildProcess.run(
      "md5sum", [], environment: TestServers.environment, input: start + password)
    try #require(hash.status == 0, "\(hash.errors)")
    let lines = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n")
    let changed = lines.map { $0.hasPrefix(start) ? start + hash.output.prefix(32) : String($0) }
    try (changed.joined(separator: "\n") + "\n")
      .write(toFile: file, atomically: false, encoding: .utf8)
  }
}
