/// What is still to be said to a server about a session that has ended here: its secrets, kept sealed
/// until the server has heard.
///
/// Requests are made anew for each delivery: proofs and signatures are good for one sending.
struct OutboxItem {
  var stored: StoredSession
  let jar: CookieJar

  /// The item's place in the vault.
  static func purpose(_ key: String) -> String { "outbox-\(key)" }

  /// Names the secrets of one generation of a session.
  static func key(_ session: SessionID, _ generation: Int64) -> String {
    "\(session)-\(generation)"
  }

  /// What keeps it in the vault until the server has heard.
  func kept(
    as key: String, generation: Int64, of account: AccountID
  ) -> Append.VaultChange {
    .set(account, purpose: Self.purpose(key), generation: generation, content: encoded)
  }
}

extension OutboxItem: StoredRecord {
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    jar = try facts.required("cookies", kept?.jar)
    stored = try facts.required("session", kept?.stored)
  }
}
