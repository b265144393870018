/// `origin.allowed`: another server may get the account's credentials.
package struct OriginAllowed: EventFacts {
  package static let kind = EventKind.originAllowed

  /// The host.
  package var host: String
  /// The port.
  package var port: Int64
  /// `https` or `http`.
  package var scheme: String

  package init(host: String, port: Int64, scheme: String) {
    self.host = host
    self.port = port
    self.scheme = scheme
  }

  package static var blank: Self { Self(host: "", port: 0, scheme: "") }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("host", &host)
    facts.code("port", &port)
    facts.code("scheme", &scheme)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    "The account may also use \(scheme.orUnknown)://\(place)."
  }

  /// The server: `files.example:443`.
  package var place: String {
    guard let host = host.known else { return "the server" }
    return port == 0 ? host : "\(host):\(port)"
  }
}
