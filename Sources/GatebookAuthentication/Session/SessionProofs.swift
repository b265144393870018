package import GatebookEvents

/// The closed list of proofs that a book can hold: finds the type behind a stored method name.
package enum SessionProofs {
  private static let types: [any SessionProof.Type] = [
    HTTPProof.self, FormProof.self, LiferayBasicProof.self, LiferayCookieProof.self,
    LiferayOAuth2Proof<LiferayRedirectGrant>.self, LiferayOAuth2Proof<LiferayPasswordGrant>.self,
    LiferayOAuth1Proof.self, OAuth1Proof.self, OAuth2Proof<PlainOAuth2>.self,
    OAuth2Proof<OpenIDConnect>.self, MobileFirstProof.self, FCSDKProof.self,
  ]

  /// Reads a proof back; `nil` for an unknown method or a record that is not its own.
  package static func decode(method: String, record: Facts) -> (any SessionProof)? {
    types.first { $0.method == method }?.init(record: record)
  }
}
