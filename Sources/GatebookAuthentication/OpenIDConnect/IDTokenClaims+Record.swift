package import GatebookEvents

extension IDTokenClaims {
  /// Reads what `record` wrote; `nil` for anything else.
  package init?(record: Facts) {
    func moment(_ name: String) -> Timestamp? {
      record[name]?.integer.map { Timestamp(rawValue: $0) }
    }
    guard let issuer = record["iss"]?.text, let subject = record["sub"]?.text,
      let audiences = record["aud"]?.list?.compactMap(\.text), let expiry = moment("expUs"),
      let issuedAt = moment("iatUs")
    else { return nil }
    self.init(
      issuer: issuer, subject: subject, audiences: audiences, authorizedParty: record["azp"]?.text,
      expiry: expiry, issuedAt: issuedAt, authenticatedAt: moment("authTimeUs"),
      contextClass: record["acr"]?.text, methods: record["amr"]?.list?.compactMap(\.text) ?? [],
      nonce: record["nonce"]?.text)
  }

  /// What later ID tokens are compared with, for the vault; without ``others``.
  package var record: Facts {
    [
      "acr": .optional(contextClass), "amr": .list(methods.map { .text($0) }),
      "aud": .list(audiences.map { .text($0) }),
      "authTimeUs": .optional(authenticatedAt?.rawValue), "azp": .optional(authorizedParty),
      "expUs": .integer(expiry.rawValue), "iatUs": .integer(issuedAt.rawValue),
      "iss": .text(issuer), "nonce": .optional(nonce), "sub": .text(subject),
    ]
  }
}
