internal import Foundation

/// The keys and certificates that `tools/servers/apache/make-pki` made, as paths of PEM files.
struct CertificateFiles {
  let folder: String

  /// The root that clients are to trust.
  var authority: String { folder + "/ca.pem" }
  /// A client's chain below the root: `CN=alice`.
  var client: String { folder + "/client.pem" }
  var clientKey: String { folder + "/client.key" }
  /// A certificate with the same name that no authority has signed.
  var rogueClient: String { folder + "/rogue-client.pem" }
  var rogueClientKey: String { folder + "/rogue-client.key" }

  /// `sha256/` and the hash of the public key that a listener shows (RFC 7469, section 2.4).
  func pin(_ listener: ApacheServer.Listener) throws -> String {
    try pin(named: listener == .clientRequired ? "good" : listener.rawValue)
  }

  /// The same of the root.
  var authorityPin: String { get throws { try pin(named: "ca") } }

  private func pin(named name: String) throws -> String {
    try String(contentsOfFile: "\(folder)/\(name).pin", encoding: .utf8)
      .trimmingCharacters(in: .newlines)
  }
}
