internal import GatebookEvents

/// What a login must still know when its redirect comes; secret.
struct CodeVisit: Sendable {
  /// The proof for the code's redemption.
  let pkce: PKCE
  /// What tells this login's redirect from others.
  let state: String
  /// What the ID token must hold; `nil` if none is asked for.
  let nonce: String?

  /// Makes what one visit needs: 256 bits each.
  init(_ random: Randomness, withNonce: Bool) {
    pkce = PKCE(random: random.bytes(for: "code_verifier"))
    state = Base64URL.encode(random.bytes(for: "state"))
    nonce = withNonce ? Base64URL.encode(random.bytes(for: "nonce")) : nil
  }
}

extension CodeVisit: StoredRecord {
  /// What the redirect is checked by.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    nonce = facts.optional("nonce", kept?.nonce)
    state = try facts.required("state", kept?.state)
    pkce = PKCE(verifier: try facts.required("verifier", kept?.pkce.verifier))
  }
}
