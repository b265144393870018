internal import Gatebook
internal import GatebookCrypto

/// The proof of a request that its sender holds a key (RFC 9449 section 4).
struct KeyProof {
  /// The key's thumbprint (RFC 7638 section 3).
  let key: String
  /// What the server gave for it.
  let nonce: String?
  private let hash: String?

  /// Reads and checks the proof of a request (section 4.3); `nil` without one that holds.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - url: The server as its callers name it.
  init?(_ request: LoopbackRequest, at url: String) {
    let texts = request.fields.values(of: "DPoP")
    guard texts.count == 1, let parts = SignedParts(compact: texts[0]),
      parts.header["typ"]?.string == "dpop+jwt", let jwk = parts.header["jwk"],
      jwk["d"] == nil, let x = jwk["x"]?.string, let y = jwk["y"]?.string,
      let key = RegisteredKey(p256: jwk), parts.isSigned(by: key),
      parts.payload["htm"]?.string == request.method,
      parts.payload["htu"]?.string == Self.origin(of: url) + request.path,
      parts.payload["jti"]?.string != nil,
      let time = parts.payload["iat"]?.integer,
      abs(time - request.received.wall.rawValue / 1_000_000) <= Self.window
    else { return nil }
    let members = #"{"crv":"P-256","kty":"EC","x":"\#(x)","y":"\#(y)"}"#
    self.key = Base64Text.encodeForURL(HashFunction.sha256(members))
    nonce = parts.payload["nonce"]?.string
    hash = parts.payload["ath"]?.string
  }

  /// Scheme, host and port of a URL.
  private static func origin(of url: String) -> String {
    url.split(separator: "/").prefix(2).joined(separator: "//")
  }

  /// For how many seconds a proof is good, before and after its time.
  private static let window: Int64 = 60

  /// Whether it was made for a token.
  func isOf(_ token: String) -> Bool {
    hash == Base64Text.encodeForURL(HashFunction.sha256(token))
  }
}

extension IdentityState {
  /// The proof of a request.
  func keyProof(_ request: LoopbackRequest) -> KeyProof? {
    KeyProof(request, at: url)
  }

  /// What the token endpoint answers to a request without the proof it wants (sections 5 and 8).
  func refusal(ofProofIn request: LoopbackRequest) -> LoopbackReply? {
    guard settings.bindsTokens else { return nil }
    guard let proof = keyProof(request) else { return .refused("invalid_dpop_proof") }
    guard let nonce = settings.proofNonce, proof.nonce != nonce else { return nil }
    return LoopbackReply.refused("use_dpop_nonce").with("DPoP-Nonce", nonce)
  }

  /// What a resource answers to whom it does not know (RFC 6750 section 3.1, RFC 9449 section 9).
  func unknownToken(_ request: LoopbackRequest) -> LoopbackReply {
    let reply = LoopbackReply.text("Who are you?\n", status: 401)
    guard settings.bindsTokens else {
      return reply.with("WWW-Authenticate", #"Bearer error="invalid_token""#)
    }
    guard let nonce = settings.proofNonce, let proof = keyProof(request), proof.nonce != nonce
    else { return reply.with("WWW-Authenticate", #"DPoP error="invalid_token""#) }
    return reply.with("WWW-Authenticate", #"DPoP error="use_dpop_nonce""#)
      .with("DPoP-Nonce", nonce)
  }
}
