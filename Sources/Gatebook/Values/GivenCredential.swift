/// A credential that an app gave for a challenge and that is kept.
struct GivenCredential: Sendable, Equatable {
  let server: Origin
  /// The realm that asked; empty for one without a name.
  let realm: String
  let credential: HTTPCredential
  let isPermanent: Bool
  /// Whether its password may go by Basic to another machine without TLS, as it was permitted when
  /// it was given.
  let allowsCleartext: Bool
  /// What it was given for or has answered since: nothing weaker gets an answer.
  var strength: HTTPStrength
  /// Whether the server is a proxy: then no server gets it.
  var isProxy = false

  /// The credential of a proxy; `nil` for a server's, and where it would go in the clear without
  /// permission.
  var proxyCredential: ProxyCredential? {
    guard isProxy, allowsCleartext || !server.isCleartext,
      case .password(let password) = credential.evidence
    else { return nil }
    return ProxyCredential(proxy: server, user: credential.user, password: password)
  }

  var authorizer: HTTPAuthorizer {
    HTTPAuthorizer(
      server, credential: credential, realm: realm, allowsCleartext: allowsCleartext,
      floor: strength)
  }
}

extension GivenCredential: StoredRecord {
  /// The credential, and what it may be used for.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    // Records that are older than some facts permit nothing; a resolver that is asked again may.
    allowsCleartext = facts.optional("cleartext", kept?.allowsCleartext) ?? false
    credential = try facts.required("credential", kept?.credential)
    isPermanent = try facts.required("permanent", kept?.isPermanent)
    isProxy = facts.optional("proxy", kept?.isProxy, unless: false)
    realm = facts.optional("realm", kept?.realm) ?? ""
    server = try facts.required("server", kept?.server)
    strength = try facts.readable("strength", kept?.strength) ?? .basic
  }
}

extension [GivenCredential] {
  /// What answers servers.
  var authorizers: [HTTPAuthorizer] { filter { !$0.isProxy }.map(\.authorizer) }

  /// What a proxy on the way gets: what was given last.
  var proxyCredential: ProxyCredential? { compactMap(\.proxyCredential).last }

  /// The list with a credential in the place of an older one for the same space.
  func adding(_ given: GivenCredential) -> [GivenCredential] {
    filter {
      $0.isProxy != given.isProxy || $0.server != given.server
        || !$0.realm.utf8.elementsEqual(given.realm.utf8)
    } + [given]
  }
}

/// The credentials for challenges that the vault keeps: of an account, or of its session.
struct KeptCredentials: Sendable, Equatable {
  /// What this Gatebook can read.
  var known: [GivenCredential] = []
  /// Entries of a newer one, which must still be there when it comes back (rule 9).
  var unread: [FactValue] = []

  /// Whether there is nothing to keep.
  var isEmpty: Bool { known.isEmpty && unread.isEmpty }

  /// With further credentials, each in the place of an older one for the same space.
  func adding(_ given: [GivenCredential]) -> KeptCredentials {
    KeptCredentials(known: given.reduce(known) { $0.adding($1) }, unread: unread)
  }
}

extension KeptCredentials: Storable {
  /// Reads what `record` wrote.
  init(record: [FactValue]) {
    for entry in record {
      if let given = GivenCredential(fact: entry) {
        known.append(given)
      } else {
        unread.append(entry)
      }
    }
  }

  var record: [FactValue] { known.record + unread }
}
