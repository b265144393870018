/// What the authorization managers of a book have in common: who they are, and what they hold.
final class Authorizations {
  /// The managers that somebody holds, by account.
  var managers: [AccountID: WeakAuthorization] = [:]
  /// The client registrations without an account that managers of this book use, by where they are
  /// kept.
  var claims: [SessionID: RegistrationClaim] = [:]
}

extension Authorizations {
  /// A check that authenticated somebody else than the account's user.
  static let otherUser = GatebookError(
    .identityMismatch, "The server authenticated a different user than the account's.",
    kept: "The account and its attributes are unchanged; the answer was not used.",
    remedy: "Log in without naming an account: each user has their own.")

  /// The same in a session, which is over with it: the server keeps one user for each client.
  static let otherUserInSession = GatebookError(
    .identityMismatch, "The server authenticated a different user than the account's.",
    kept:
      "The account's session has ended, because its server keeps one user per client. Its attributes "
      + "are unchanged, and the answer was not used.",
    remedy:
      "Log in as the account's user. For a different user, log in without naming an account."
  )

  static let savesNothing = GatebookError(
    .configurationInvalid, "Gatebook never saves answers to security checks.",
    kept: "Nothing was sent.", remedy: "Let the server remember the user, with `rememberMe`.")

  static let otherAccount = GatebookError(
    .configurationInvalid, "The options name another account.", kept: "Nothing was sent.",
    remedy: "Name one account.")

  static let otherApp = GatebookError(
    .configurationInvalid, "The account belongs to another server or application.",
    kept: "Nothing was sent.", remedy: "Name another account, or none.")

  static let otherMethod = GatebookError(
    .configurationInvalid, "The account does not use the method `mobilefirst`.",
    kept: "Nothing was sent.", remedy: "Name another account, or none.")
}

/// The manager that serves an account, as long as anybody else holds it.
struct WeakAuthorization {
  weak var manager: AuthorizationManager?
  /// The scopes that resources have asked for, by method and URL.
  var resourceScopes: [String: String] = [:]
}

extension AuthorizationManager {
  /// Takes newer settings; the next flow informs the server.
  func adopt(_ app: MobileFirstApp) {
    self.app = app
  }
}

/// Who uses a client registration that no account owns yet.
///
/// One manager at a time, over all processes: the registration of two users would be one client at
/// the server, where the second one inherits what the first one did. The hold ends with the
/// manager, the open book or the process.
struct RegistrationClaim {
  weak var manager: AuthorizationManager?
  let lock: AccountLock
}
