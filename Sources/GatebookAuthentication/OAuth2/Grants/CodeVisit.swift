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

extension CodeVisit {
  /// Reads what `record` wrote; `nil` for anything else.
  init?(record: Facts) {
    guard let verifier = record["verifier"]?.text, let state = record["state"]?.text else {
      return nil
    }
    pkce = PKCE(verifier: verifier)
    self.state = state
    nonce = record["nonce"]?.text
  }

  /// The visit for the vault.
  var record: Facts {
    [
      "nonce": .optional(nonce), "state": .text(state), "verifier": .text(pkce.verifier),
    ]
  }
}
