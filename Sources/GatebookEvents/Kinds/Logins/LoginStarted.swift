/// `login.started`: a login began.
package struct LoginStarted: EventFacts {
  package static let kind = EventKind.loginStarted

  /// Whether a person logs in; otherwise saved credentials do.
  package var isInteractive: Bool
  /// The login method.
  package var method: String
  /// The fingerprint of the typed name, if no account is known, or another one than the login must
  /// be of.
  package var name: String?
  /// The server.
  package var server: String

  package init(isInteractive: Bool, method: String, server: String) {
    self.isInteractive = isInteractive
    self.method = method
    self.server = server
  }

  package static var blank: Self { Self(isInteractive: true, method: "", server: "") }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("interactive", &isInteractive)
    facts.code("method", &method)
    facts.code("name", &name)
    facts.code("server", &server)
  }

  /// Who logs in, if the account is known.
  package struct Personal: FactsRecord, Hashable, Sendable {
    /// The login name.
    package var user: String

    package init(user: String) {
      self.user = user
    }

    package static var blank: Self { Self(user: "") }

    package mutating func code(with facts: inout some FactsCoder) {
      facts.code("user", &user)
    }
  }

  package func sentence(_ event: RecordedEvent) -> Sentence {
    isInteractive
      ? "\(event.author) began a login at \(server.orUnknown) by \(method.orUnknown)."
      : "\(event.author) began to log the account in again at \(server.orUnknown), with saved credentials."
  }
}
