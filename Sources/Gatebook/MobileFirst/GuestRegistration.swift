/// A client registration that no account owns yet, as the vault keeps it.
///
/// It outlives the login attempt that made it, and the process: as long as nobody has answered
/// under it, a later attempt takes it up instead of registering once more.
struct GuestRegistration: Sendable {
  /// Where it is kept.
  let id: SessionID
  let registration: ClientRegistration
  /// Whether somebody has answered under it, or was about to.
  ///
  /// From then on the server may know this client as that person: by a success, a time of being
  /// remembered, or a block. Nobody else gets it: "the next user inherits the former identity" is a
  /// defect of the original. A refusal told changes nothing of that: it leaves attempts counted
  /// under the client, and who comes next cannot be told from who was refused.
  let isUsed: Bool
  /// Until when it waits for somebody to take it up.
  let deadline: Timestamp

  /// How long a registration waits, from when it was last written: 30 days.
  ///
  /// A server that was mistyped or is gone is never asked again; its key pair need not stay for
  /// good.
  static let lifetime = Duration.seconds(30 * 86_400)

  /// A registration that is written now.
  init(id: SessionID, registration: ClientRegistration, isUsed: Bool, at now: Timestamp) {
    self.id = id
    self.registration = registration
    self.isUsed = isUsed
    deadline = now + Self.lifetime
  }

  /// Whether somebody else than its manager may take it up.
  func isWaiting(at now: Timestamp) -> Bool { !isUsed && now < deadline }

  /// Whether it was made for this app at this server; its version and the device may differ, and
  /// the server is informed.
  func fits(_ app: MobileFirstApp) -> Bool {
    registration.app.server == app.server && registration.app.applicationID == app.applicationID
      && registration.app.platform == app.platform
  }
}

extension GuestRegistration {
  /// Reads what `record` wrote; `nil` for anything else.
  init?(_ kept: Attempt) {
    guard let record = Facts(decoding: kept.content),
      let registration = record["registration"]?.object
        .flatMap({ ClientRegistration(record: $0) })
    else { return nil }
    id = kept.session
    self.registration = registration
    // One that does not say so may have been used.
    isUsed = record["used"]?.bool ?? true
    deadline = kept.deadline
  }

  var record: Facts { ["registration": .object(registration.record), "used": .bool(isUsed)] }

  /// The vault's change that keeps it.
  var change: Append.VaultChange {
    .keepAttempt(id, deadline: deadline, content: record.encoded)
  }
}

/// What an authorization manager holds while there is no session that could hold it.
struct AuthorizationGuest: Sendable {
  var registration: ClientRegistration?
  /// Where the registration is kept while no account owns it.
  var kept: SessionID?
  /// Whether an answer uses the registration, or has used it: nobody else may take it then.
  var isUsed = false
  /// The pool whose connections flows without a session continue with; `nil` starts with new ones.
  var pool: String?
  var tokens: [String: AccessToken] = [:]
  var jar = CookieJar()
  /// What answers servers that ask for credentials; made when something is sent.
  var held: HeldCredentials?
  /// What was given for challenges, for the session to come.
  var given: [GivenCredential] = []
  /// Which certificates were accepted, for the account to come.
  var accepted: [TrustException] = []

  /// What marks the kept registration as used; it is to be durable before an answer is sent.
  func usage(at now: Timestamp) -> [Append.VaultChange] {
    guard !isUsed, let kept, let registration else { return [] }
    return [GuestRegistration(id: kept, registration: registration, isUsed: true, at: now).change]
  }
}
