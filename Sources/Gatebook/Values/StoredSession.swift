/// What the vault keeps of a session, so that it can continue after a restart: everything but
/// cookies.
struct StoredSession: Sendable {
  var proof: any SessionProof
  /// The origins that credentials may go to: the method's own and those the user added.
  var origins: [Origin]
  var trust: Trust
  /// What the app gave for challenges in front of the server.
  var given = KeptCredentials()
}

extension StoredSession: StoredRecord {
  /// The method's name and its proof, and what the session may do.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    given = facts.optional("given", kept?.given, unless: KeptCredentials())
    let method = try facts.required("method", kept.map { type(of: $0.proof).method })
    origins = try facts.required("origins", kept?.origins)
    let record = try facts.required("proof", kept?.proof.record)
    trust = try facts.required("trust", kept?.trust)
    guard let proof = kept?.proof ?? SessionProofs.decode(method: method, record: record)
    else { throw Unreadable() }
    self.proof = proof
  }
}

extension StoredSession {
  /// How many bytes of secrets an answer to a renewal replaces: the session's, the same once more
  /// where the user saved it, and the cookies.
  func secretsOfRenewal(_ jar: CookieJar = CookieJar()) -> Int {
    2 * encoded.count + jar.record.encoded.count
  }

  /// What keeps it in the vault.
  func kept(
    as purpose: String = Purpose.session, of account: AccountID, generation: Int64 = 1
  ) -> Append.VaultChange {
    .set(account, purpose: purpose, generation: generation, content: encoded)
  }

  /// Whether credentials may go to a URL.
  func owns(_ url: HTTPURL) -> Bool {
    url.origin == proof.origin || origins.contains(url.origin)
  }
}
