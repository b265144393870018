/// `proxy.started`: other programs can send requests as the account.
package struct ProxyStarted: EventFacts {
  package static let kind = EventKind.proxyStarted

  /// Whether only some paths are forwarded.
  package var isLimited: Bool = false
  /// The port of this machine where programs connect; `nil`: a Unix socket.
  package var port: Int64?
  /// How many requests in a second are forwarded at most; `nil` for any number.
  package var rate: Int64?
  /// Whether only requests that read are forwarded.
  package var isReadOnly: Bool = false
  /// The server that requests go to, as its origin.
  package var server: String

  package init(server: String) {
    self.server = server
  }

  package static var blank: Self { Self(server: "") }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("limited", &isLimited, unless: false)
    facts.code("port", &port)
    facts.code("rate", &rate)
    facts.code("readOnly", &isReadOnly, unless: false)
    facts.code("server", &server)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    let place = port.map { "port \($0)" } ?? "a Unix socket"
    var limits: [String] = []
    if isReadOnly { limits.append("only requests that read") }
    if isLimited { limits.append("only some paths") }
    if let rate { limits.append("at most \(rate) requests a second") }
    let allowed = limits.isEmpty ? "" : " It allowed \(limits.joined(separator: ", "))."
    return
      "\(event.author) started a proxy at \(place): other programs could send requests to \(server.orUnknown) as the account.\(allowed)"
  }

  /// What only who has the key may see.
  package struct Personal: FactsRecord, Hashable, Sendable {
    /// The paths that are forwarded; `nil` for all.
    package var paths: [String]?
    /// The path of the Unix socket; `nil` for a port.
    package var socket: String?

    package init(paths: [String]? = nil, socket: String? = nil) {
      self.paths = paths
      self.socket = socket
    }

    package static var blank: Self { Self() }

    package mutating func code(with facts: inout some FactsCoder) {
      facts.code("paths", &paths)
      facts.code("socket", &socket)
    }
  }
}
