/// `trust.decided`: somebody decided about the key of a server.
package struct TrustDecided: EventFacts {
  package static let kind = EventKind.trustDecided

  /// `user` or `policy`.
  package var by: String
  /// Why the key was refused without asking anybody.
  package var code: String?
  /// `cleartext`, or the defects of the certificate.
  package var defects: [String]?
  /// What was wrong with the server.
  package var fault: String?
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
}

extension TrustDecided {
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
}
