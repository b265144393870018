/// A credential that an app gave for a challenge and that is kept.
struct GivenCredential: Sendable, Equatable {
  let server: Origin
  let realm: String?
  let credential: HTTPCredential
  let isPermanent: Bool

  var authorizer: HTTPAuthorizer {
    // What permits cleartext was asked for when it was given.
    HTTPAuthorizer(server, credential: credential, realm: realm, allowsCleartext: true)
  }
}

extension GivenCredential {
  /// Reads what `record` wrote; `nil` for anything else.
  init?(record: Facts) {
    guard let server = record["server"]?.text.flatMap({ HTTPURL($0) })?.origin,
      let credential = record["credential"]?.object.flatMap({ HTTPCredential(record: $0) }),
      let isPermanent = record["permanent"]?.bool
    else { return nil }
    self.server = server
    self.credential = credential
    self.isPermanent = isPermanent
    realm = record["realm"]?.text
  }

  var record: Facts {
    [
      "credential": .object(credential.record), "permanent": .bool(isPermanent),
      "realm": .optional(realm), "server": .text(server.description),
    ]
  }
}

extension [GivenCredential] {
  /// Reads a list of records; what is none of them is left out.
  init(record: [FactValue]) {
    self = record.compactMap { $0.object.flatMap { GivenCredential(record: $0) } }
  }

  var record: FactValue { .list(map { .object($0.record) }) }

  /// The list with a credential in the place of an older one for the same space.
  func adding(_ given: GivenCredential) -> [GivenCredential] {
    filter { $0.server != given.server || $0.realm != given.realm } + [given]
  }
}
