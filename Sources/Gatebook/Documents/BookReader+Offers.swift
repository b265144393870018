internal import GatebookAuthentication
internal import GatebookEvents
internal import GatebookStore

extension BookReader {
  /// What an account's server lists of itself, as the book last read it.
  ///
  /// - Parameter account: The account.
  /// - Returns: The lists; `nil` for a server without metadata, and where the book has none of it.
  /// - Throws: `key.missing` when the book was opened without its key, `storage` failures.
  package func offers(of account: AccountID) throws(GatebookError) -> ServerOffers? {
    guard let text = try savedSettings(of: account)?.values["issuer"]?.text,
      let issuer = Issuer(text)
    else { return nil }
    let trust = try trust(of: account)
    for url in issuer.descriptions {
      let line = PublishedDocuments.Line(url: url, trust: trust)
      let answer = try document(line.parts).kept?.content.flatMap { Facts(decoding: $0) }
        .flatMap { KeptAnswer(record: $0) }
      if let answer, let offers = ServerOffers(answer.recalled.body) { return offers }
    }
    return nil
  }
}
