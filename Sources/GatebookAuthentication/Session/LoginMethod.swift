package import GatebookCrypto
package import GatebookEvents

/// A way to log in, chosen by the app: `.http(…)`, `.form(…)`, `.oauth1(…)`, `.oauth2(…)`,
/// `.openID(…)`, `.liferay(…)`, `.fcsdk(…)`.
///
/// The list is closed: each method adds its own static function beside its authenticator.
public struct LoginMethod: Sendable {
  /// The method's name, as in `SessionProof.method`.
  package let name: String
  /// Who logs in; `userID` is the login name until the server says more.
  package let person: Person
  /// The origin to which the password goes, or what is as good: it needs TLS or a loopback host.
  package let origin: Origin
  /// Whether the person visits a page of the server on the way.
  package let opensPage: Bool
  /// The person's password, where it is known here: what may be checked again without the server.
  package let password: Secret?
  /// What the method was given, by names of its own, without secrets.
  ///
  /// Empty for a login that leaves what is kept of an earlier one.
  package let settings: Facts
  /// Starts the method's state machine.
  package let authenticator: @Sendable () -> any Authenticator

  /// Whether its server is found by its issuer, which has TLS or is on this machine.
  package var isDiscovered: Bool { name == OpenIDConnect.method }

  /// Makes a method.
  package init(
    name: String, person: Person, origin: Origin, opensPage: Bool = false,
    password: Secret? = nil, settings: Facts = [:],
    authenticator: @escaping @Sendable () -> any Authenticator
  ) {
    self.name = name
    self.person = person
    self.origin = origin
    self.opensPage = opensPage
    self.password = password
    self.settings = settings
    self.authenticator = authenticator
  }
}
