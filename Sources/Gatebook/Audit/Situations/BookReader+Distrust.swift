extension BookReader {
  /// More decisions about trust than that no account has.
  private static let mostDecisions = 256

  /// What a refused server showed, and what is allowed: the first line of an answer about it.
  ///
  /// - Parameters:
  ///   - refusal: The decision to refuse its certificate or key.
  ///   - account: Whose trust counts; `nil` for a login that names no account of the book.
  /// - Returns: `The server is not trusted now: ...`
  /// - Throws: Storage failures.
  func distrust(
    _ refusal: TrustDecided, of account: AccountID?
  ) throws(GatebookError) -> Sentence {
    let allowed = try account.flatMap { (account) throws(GatebookError) in
      try allowedKeys(of: account, like: refusal)
    }
    let key = refusal.key.map { "the key \($0)" } ?? "another certificate"
    return
      "The server is not trusted now: \(refusal.place) showed \(key)\(refusal.flaws). Only "
      + (allowed ?? "a certificate from a trusted authority")
      + " is accepted. Nothing was sent. "
  }

  /// The keys that an account allows at a server, as its decisions in the log have them; `nil` for
  /// none.
  private func allowedKeys(
    of account: AccountID, like refusal: TrustDecided
  ) throws(GatebookError) -> Sentence? {
    var pins: [String] = []
    var accepted: [String] = []
    let decisions = try last(.trustDecided, atMost: Self.mostDecisions, of: account)
    for decision in decisions.compactMap(\.trust) {
      switch decision.verdict {
      case "pinned": pins = decision.pins ?? []
      case "accepted" where decision.host == refusal.host:
        if let key = decision.key, !accepted.contains(key) { accepted.append(key) }
      case "revoked":
        let gone = Set((decision.pins ?? []) + [decision.key ?? ""])
        pins.removeAll(where: gone.contains)
        accepted.removeAll(where: gone.contains)
      default: break
      }
    }
    let keys = pins.isEmpty ? accepted : pins
    guard !keys.isEmpty else { return nil }
    return "\(keys.count == 1 ? "the key" : "one of the keys") \(keys.joined(separator: ", "))"
  }
}

extension SessionContext {
  /// The decision to refuse the account's server, where that is the last that is known of it.
  func distrustedBy(_ events: [RecordedEvent]) -> TrustDecided? {
    switch state {
    case .active, .offline, .challenged, .uncertain: events.ofUse.lastDistrust
    case .needsLogin: events.ofServer.lastDistrust
    case .ended: nil
    }
  }
}

extension [RecordedEvent] {
  /// The decision to refuse a server, where that is the last that is known of it.
  var lastDistrust: TrustDecided? {
    certificateAdvice == nil ? nil : last(where: \.refusesServer)?.trust
  }
}
