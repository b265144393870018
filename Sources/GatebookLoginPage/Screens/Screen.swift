internal import Gatebook

/// What the login page shows.
enum Screen: Sendable {
  /// Accounts to choose from.
  case accounts([SessionContext])
  /// A form to fill in.
  case form(FormView)
  /// A certificate to decide about.
  case certificate(ServerCertificate, Origin)
  /// A login is under way at a server.
  case working(server: String)
  /// Somebody is logged in.
  case done(SessionContext)
  /// An account is used without a login.
  case continued(SessionContext)
  /// The login has ended without a session.
  case ended(ScreenEnd)

  /// Whether it is one of the last: no form can be sent from it.
  var isLast: Bool {
    switch self {
    case .accounts, .form, .certificate, .working: false
    case .done, .continued, .ended: true
    }
  }

  /// Whether it changes without an answer of the person.
  var isWorking: Bool { if case .working = self { true } else { false } }

  /// What is shown after it was answered, until the next screen comes.
  var busy: Screen {
    switch self {
    case .form(let view): .working(server: view.server)
    case .certificate(_, let server): .working(server: "\(server)")
    case .accounts: .working(server: "")
    case .working, .done, .continued, .ended: self
    }
  }
}
