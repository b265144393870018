/// What the vault keeps of a session, so that it can go on after a restart: everything but cookies.
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
  /// How many bytes of secrets an answer to a renewal replaces: the session's, the same once more where
  /// the user saved it, and the cookies.
  func secretsOfRenewal(_ jar: CookieJar = CookieJar()) -> Int {
    2 * encoded.count + jar.record.encoded.count
  }

  /// The session with what was given in a conversation.
  func learning(from conversation: Conversation) -> StoredSession {
    var stored = self
    stored.given = given.adding(conversation.given)
    return stored
  }

  /// Whether credentials may go to a URL.
  func owns(_ url: HTTPURL) -> Bool {
    url.origin == proof.origin || origins.contains(url.origin)
  }
}

extension SessionBook {
  /// What the user saved to be logged in again; `nil` for nothing.
  func savedSession(of account: AccountID) throws(GatebookError) -> StoredSession? {
    try stored(Purpose.credentials, of: account)
  }

  /// What the vault keeps for a purpose; `nil` for nothing, and for what cannot be read.
  func stored(
    _ purpose: String, of account: AccountID
  ) throws(GatebookError) -> StoredSession? {
    try reader.secret(of: account, purpose: purpose).flatMap { StoredSession($0) }
  }
}
