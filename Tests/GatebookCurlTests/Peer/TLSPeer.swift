internal import GatebookTestSupport
internal import Glibc
internal import Testing

/// A TLS server on loopback with a certificate that signs itself.
struct TLSPeer {
  let port: Int
  /// The PEM file of its certificate.
  let certificate: String

  /// Whether the machine has libssl; where libcurl is, it is too.
  static let isAvailable = true

  /// Runs a server while the body runs; its certificate is for a name such as `IP:127.0.0.1`.
  static func run<Result>(
    name: String, _ body: (TLSPeer) async throws -> Result
  ) async throws -> Result {
    var template = Array("/tmp/gatebook-tls-XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    let bytes = template.dropLast().map { UInt8(bitPattern: $0) }
    // swift-format-ignore: OptionalDataStringConversion
    let folder = String(decoding: bytes, as: UTF8.self)
    defer { rmdir(folder) }
    let value = String(name.drop { $0 != ":" }.dropFirst())
    let certificate = try TestCertificate.selfSigned(
      [name.hasPrefix("IP:") ? .address(value) : .host(value)])
    let files = try certificate.write(to: folder, as: "peer")
    defer {
      unlink(files.certificate)
      unlink(files.key)
    }
    let server = try LoopbackServer(tls: LoopbackTLS(certificate)) { _ in .text("welcome") }
    try server.start()
    defer { server.stop() }
    return try await body(TLSPeer(port: Int(server.port), certificate: files.certificate))
  }
}
