/// A client registration that no account owns yet, as the vault keeps it.
///
/// It outlives the login attempt that made it, and the process: a later attempt takes it up instead
/// of registering once more.
struct GuestRegistration: Sendable {
  /// Where it is kept.
  let id: SessionID
  let registration: ClientRegistration

  /// Whether it was made for this app at this server; its version and the device may differ, of
  /// which the server is told.
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
    self.init(id: kept.session, registration: registration)
  }

  var record: Facts { ["registration": .object(registration.record)] }
}
