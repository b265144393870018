/// One event of a flow, before it is known in which stream it will stand.
struct AuthorizationEvent: Sendable {
  let kind: EventKind
  let data: Facts
  let personal: Facts?

  init(_ kind: EventKind, data: Facts = [:], personal: Facts? = nil) {
    self.kind = kind
    self.data = data
    self.personal = personal
  }

  /// A challenge that came, was answered, was cancelled or failed.
  ///
  /// - Parameters:
  ///   - kind: What happened to it.
  ///   - challenge: The challenge.
  ///   - fields: The names of the fields of an answer; never its values.
  ///   - name: The fingerprint of the name in an answer, where no account is known.
  ///   - handler: Which registration of a handler was called, from 1.
  ///   - message: The server's words without anything that was answered.
  ///   - error: Why it failed.
  init(
    _ kind: EventKind, _ challenge: SecurityCheckChallenge, fields: [String]? = nil,
    name: String? = nil, handler: Int64? = nil, message: String? = nil, error: GatebookError? = nil
  ) {
    self.kind = kind
    data = [
      "check": .plain(challenge.check), "code": .optional(error?.code.rawValue),
      "fault": .optional(error?.fault),
      "fields": fields.map { .list($0.compactMap(FactValue.plain)) },
      "flow": .text(challenge.flow.description), "handler": .optional(handler),
      "name": .optional(name),
      "remaining": .optional(challenge.remainingAttempts), "round": .integer(challenge.round),
      "scheme": .text(MobileFirstApp.method),
    ]
    personal = message.flatMap { $0.isEmpty ? nil : ["message": .text($0.cut(to: 256))] }
  }

  /// A check that has succeeded.
  init(_ success: SecurityCheckSuccess) {
    kind = .checkSucceeded
    data = [
      "check": .plain(success.check), "flow": .text(success.flow.description),
      "remembered": .bool(success.wasRemembered),
    ]
    personal = success.user.map { user in
      ["user": .text(user.displayName.cut(to: 256)), "userID": .text(user.id.cut(to: 256))]
    }
  }

  /// A check that refuses; the server's reason is without anything that was answered.
  init(_ failure: SecurityCheckFailure, reason: String) {
    kind = .challengeFailed
    data = [
      "check": .plain(failure.check), "code": .text(FailureCode.challengeBlocked.rawValue),
      "flow": .text(failure.flow.description), "scheme": .text(MobileFirstApp.method),
    ]
    personal = ["message": .text(reason.cut(to: 256))]
  }

  /// A token that the server granted.
  init(_ token: AccessToken) {
    kind = .tokenGranted
    data = [
      "flow": .text(token.flow.description), "lifetime": .integer(token.lifetime.microseconds),
      "scope": .plainScope(token.scope),
    ]
    personal = nil
  }

  /// Tokens that are forgotten: one scope's, or all of them.
  init(clearing scope: String?, cause: String) {
    kind = .tokenCleared
    data = ["reason": .text(cause), "scope": scope.flatMap(FactValue.plainScope)]
    personal = nil
  }

  /// A registration that was made, or took the place of another one.
  init(_ registration: ClientRegistration, replacing former: String?) {
    kind = former == nil ? .registrationCreated : .registrationReplaced
    data = [
      "client": .plain(registration.clientID), "former": former.flatMap(FactValue.plain),
      "key": .text(registration.thumbprint),
    ]
    personal = nil
  }

  /// A client that the server does not know (any more).
  init(rejected clientID: String) {
    kind = .registrationRejected
    data = ["client": .plain(clientID)]
    personal = nil
  }

  /// The facts that hold names which a server can have chosen.
  private static let namedFacts = ["check", "client", "former", "scope"]

  /// The names in it that a server can have chosen.
  var names: [String] {
    Self.namedFacts.compactMap { data[$0]?.text }.flatMap {
      $0.split(separator: " ").map(String.init)
    }
  }

  /// The event without the facts in which one of these names is.
  func withoutNames(_ echoes: Set<String>) -> AuthorizationEvent {
    guard !echoes.isEmpty else { return self }
    var data = data
    for fact in Self.namedFacts {
      let names = (data[fact]?.text ?? "").split(separator: " ").map(String.init)
      if !echoes.isDisjoint(with: names) { data[fact] = nil }
    }
    return AuthorizationEvent(kind, data: data, personal: personal)
  }
}
