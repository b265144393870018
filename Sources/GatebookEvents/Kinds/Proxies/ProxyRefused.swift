/// `proxy.refused`: a proxy did not forward a program's request.
///
/// The same refusal of the same program is recorded at most once an hour, so that no program can
/// fill the book.
package struct ProxyRefused: EventFacts {
  package static let kind = EventKind.proxyRefused

  /// Whether the program acted for another user.
  package var isForeign = false
  /// The number of the program's process; `nil` where the system does not tell it.
  package var process: Int64?
  /// The name of the program's process; `nil` where it is unknown, or no plain name.
  package var program: String?
  /// Why, such as `readOnly`.
  package var reason: String

  package init(reason: String) {
    self.reason = reason
  }

  package static var blank: Self { Self(reason: "") }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("foreign", &isForeign, unless: false)
    facts.code("process", &process)
    facts.code("program", &program)
    facts.code("reason", &reason)
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    let name = program ?? (isForeign ? "another user's program" : "a program")
    let owner = isForeign && program != nil ? " of another user" : ""
    let asker = (process.map { "\(name) (process \($0))" } ?? name) + owner
    return
      "The proxy of \(event.author) refused a request of \(asker): \(Self.words[reason] ?? "the request was not allowed")."
  }

  private static let words = [
    "capability": "the capability was missing or wrong",
    "connect": "it asked for a tunnel",
    "expectation": "it expected something unknown",
    "framing": "it did not say clearly where its body ends",
    "headerTooLong": "its header was too long",
    "host": "its field Host named another server",
    "malformed": "it was not valid HTTP",
    "path": "its path was not allowed",
    "peer": "it came from another user",
    "rate": "too many requests came",
    "readOnly": "only requests that read were allowed",
    "slow": "it took too long to arrive",
    "target": "it named another server",
    "targetTooLong": "its request line was too long",
    "trace": "its answer would have repeated the credentials",
    "upgrade": "it asked for another protocol",
    "version": "it was of another version of HTTP",
  ]
}
