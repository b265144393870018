/// `trust.decided`: somebody decided about the key of a server.
package struct TrustDecided: EventFacts {
  package static let kind = EventKind.trustDecided

  /// `user` or `policy`.
  package var by: String
  /// Why the key was refused without asking anybody.
  package var code: FailureCode?
  /// `cleartext`, or the defects of the certificate.
  package var defects: [String]?
  /// What was wrong with the server.
  package var fault: Fault?
  /// The host.
  package var host: String?
  /// The hash of the key.
  package var key: String?
  /// The only keys that are accepted.
  package var pins: [String]?
  /// The port.
  package var port: Int64?
  /// `accepted`, `refused`, `pinned`, `revoked`; `trusted`: a server that was refused has answered
  /// a request.
  package var verdict: String

  package init(by: String, verdict: String) {
    self.by = by
    self.verdict = verdict
  }

  /// A decision about a server.
  package init(by whom: String, _ verdict: String, host: String?, port: Int64?) {
    self.init(by: whom, verdict: verdict)
    (self.host, self.port) = (host, port)
  }

  package static var blank: Self { Self(by: "", verdict: "") }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("by", &by)
    facts.code("verdict", &verdict)
    guard facts.hasDetails else { return }
    facts.code("code", &code)
    facts.code("defects", &defects)
    facts.code("fault", &fault)
    facts.code("host", &host)
    facts.code("key", &key)
    facts.code("pins", &pins)
    facts.code("port", &port)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    "\(by == "policy" ? event.author : "The user, through \(event.author),") \(deed)."
  }

  /// The server: `shop.example:443`.
  package var place: String {
    guard let host else { return "the server" }
    return port.map { "\(host):\($0)" } ?? host
  }

  /// What is wrong with a certificate: `, which has expired`.
  package var flaws: String {
    guard let defects, !defects.isEmpty else { return "" }
    let words = defects.map { name in
      let defect = CertificateDefect(rawValue: name)
      let words = defect?.explanation ?? "has the defect \(name)"
      return [.expired, .notYetValid].contains(defect) ? "\(words) by this machine's clock" : words
    }
    return ", which \(words.joined(separator: ", and "))"
  }

  /// Whether the certificate is but out of date.
  package var isOutOfDate: Bool {
    defects.map { !$0.isEmpty && Set($0).isSubset(of: ["expired", "notYetValid"]) } ?? false
  }

  private var deed: String {
    switch verdict {
    case "accepted" where defects == ["cleartext"]:
      "allowed secrets to be sent to \(place) unencrypted"
    case "accepted": "accepted the certificate of \(place)"
    case "refused" where fault == .keyNamed:
      "refused \(place): its key is not the one that was named"
    case "refused" where code == .tlsKeyChanged: "refused \(place): its key has changed"
    case "refused": "refused the certificate of \(place)\(flaws)"
    case "pinned": "allowed only certain keys of \(place)"
    case "revoked": "withdrew an earlier decision to trust \(place)"
    case "trusted": "found that \(place) is trusted again"
    default: "decided about trust in \(place)"
    }
  }
}
