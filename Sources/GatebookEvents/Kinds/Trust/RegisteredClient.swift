/// The client that a server registered, as an event says it.
package struct RegisteredClient: FactsRecord, Hashable, Sendable {
  /// The client id that the server gave.
  package var id: String?
  /// The former client id.
  package var former: String?
  /// The thumbprint of the client's key (RFC 7638).
  package var key: String

  package static var blank: Self { Self(key: "") }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("client", &id)
    facts.code("former", &former)
    facts.code("key", &key)
  }
}
