/// What the vault keeps of a session, so that it can go on after a restart: everything but cookies.
struct StoredSession: Sendable {
  var proof: any SessionProof
  /// The origins that credentials may go to: the method's own and those the user added.
  var origins: [Origin]
  var trust: Trust
  /// What the app gave for challenges in front of the server.
  var given = KeptCredentials()
}

extension StoredSession {
  /// Reads what `encoded` wrote; `nil` for anything else.
  init?(_ bytes: [UInt8]) {
    guard let facts = Facts(decoding: bytes) else { return nil }
    self.init(record: facts)
  }

  /// Reads what `record` gave; `nil` for anything else.
  init?(record facts: Facts) {
    guard let method = facts["method"]?.text,
      let record = facts["proof"]?.object,
      let proof = SessionProofs.decode(method: method, record: record),
      let origins = facts["origins"]?.list,
      let trust = facts["trust"]?.object.flatMap(Trust.init(record:))
    else { return nil }
    self.init(
      proof: proof, origins: origins.compactMap { $0.text.flatMap { HTTPURL($0) }?.origin },
      trust: trust, given: KeptCredentials(record: facts["given"]?.list ?? []))
  }

  var encoded: [UInt8] { record.encoded }

  var record: Facts {
    var facts: Facts = [
      "method": .text(type(of: proof).method),
      "origins": .list(origins.map { .text($0.description) }),
      "proof": .object(proof.record),
      "trust": .object(trust.record),
    ]
    if !given.isEmpty { facts["given"] = given.record }
    return facts
  }

  /// How many bytes of secrets an answer to a renewal replaces: the session's, the same once more where
  /// the user saved it, and the cookies.
  func secretsOfRenewal(_ jar: CookieJar = CookieJar()) -> Int {
    2 * encoded.count + jar.record.encoded.count
  }

  /// Whether credentials may go to a URL.
  func owns(_ url: HTTPURL) -> Bool {
    url.origin == proof.origin || origins.contains(url.origin)
  }
}
