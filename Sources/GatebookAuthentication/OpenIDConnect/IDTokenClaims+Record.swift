package import GatebookEvents

extension IDTokenClaims: StoredRecord {
  /// The claims, for the vault.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    self.init(
      issuer: try facts.required("iss", kept?.issuer),
      subject: try facts.required("sub", kept?.subject),
      audiences: try facts.required("aud", kept?.audiences),
      authorizedParty: facts.optional("azp", kept?.authorizedParty),
      expiry: try facts.required("expUs", kept?.expiry),
      issuedAt: try facts.required("iatUs", kept?.issuedAt),
      authenticatedAt: facts.optional("authTimeUs", kept?.authenticatedAt),
      contextClass: facts.optional("acr", kept?.contextClass),
      methods: facts.optional("amr", kept?.methods) ?? [],
      nonce: facts.optional("nonce", kept?.nonce))
  }
}
