/// A way to log in, chosen by the app: `.http(…)`, `.form(…)`, `.oauth1(…)`, `.oauth2(…)`,
/// `.openID(…)`, `.liferay(…)`, `.fcsdk(…)`.
///
/// Each method adds its own static function beside its authenticator.
public struct LoginMethod: Sendable {
  /// The method's name, as in `SessionProof.method`.
  public let name: String
  /// Who logs in; `userID` is the login name until the server says more.
  public let person: Person
  /// Whether a password, or what is as good, travels: then TLS or a loopback host is needed.
  public let sendsPassword: Bool
  /// The origin to which the password goes.
  public let origin: Origin
  /// Whether the person visits a page of the server on the way.
  public let opensPage: Bool
  /// Starts the method's state machine.
  public let authenticator: @Sendable () -> any Authenticator

  /// Makes a method; for authors of login methods.
  public init(
    name: String, person: Person, sendsPassword: Bool, origin: Origin, opensPage: Bool = false,
    authenticator: @escaping @Sendable () -> any Authenticator
  ) {
    self.name = name
    self.person = person
    self.sendsPassword = sendsPassword
    self.origin = origin
    self.opensPage = opensPage
    self.authenticator = authenticator
  }
}
