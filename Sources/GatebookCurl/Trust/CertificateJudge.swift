internal import COpenSSL
internal import GatebookAuthentication

/// Decides by a trust policy on what one server shows.
///
/// Lives on the thread of its transfer's loop only.
final class CertificateJudge {
  private let origin: Origin
  private let trust: Trust
  /// What the server showed last; `nil` before it showed anything legible.
  private(set) var certificate: ServerCertificate?
  /// What was decided on it.
  private(set) var verdict: TrustVerdict?
  /// Whether the server asked for a client certificate.
  private(set) var hasHeardDemand = false

  init(_ origin: Origin, _ trust: Trust) {
    self.origin = origin
    self.trust = trust
  }

  /// Takes that the server asks for a client certificate; it is shown the account's, or none.
  func hearDemand() { hasHeardDemand = true }

  /// Judges the chain that OpenSSL has to verify; returns whether the handshake may continue.
  func judge(_ chain: OpaquePointer) -> Bool {
    (certificate, verdict) = (nil, nil)
    // Whatever libcrypto notes on the way must not be read as a failure of the connection.
    ERR_set_mark()
    defer { ERR_pop_to_mark() }
    guard let leaf = X509_STORE_CTX_get0_cert(chain) else { return false }
    var check = ChainCheck()
    let defects = check.defects(of: chain, origin.host, checksRevocation: trust.namesAuthorities)
    guard let shown = ServerCertificate(leaf, of: origin, defects) else {
      X509_STORE_CTX_set_error(chain, X509_V_ERR_UNSPECIFIED)
      return false
    }
    let verdict = trust.verdict(on: shown)
    (certificate, self.verdict) = (shown, verdict)
    // The result is what libcurl reads after the handshake, and the alert that the server gets.
    X509_STORE_CTX_set_error(chain, verdict == .trusted ? X509_V_OK : check.alarm)
    return verdict == .trusted
  }
}

extension Trust {
  /// Whether the account has authorities of its own.
  fileprivate var namesAuthorities: Bool {
    if case .file = authorities { true } else { false }
  }
}
