package import GatebookEvents

/// A login method that waits for the person: at a page of the server, or with a code at another
/// device.
///
/// The wait may end in another process, after a restart: the machine's state after `.open` or
/// `.show` is kept encrypted, and a machine made from it continues with `.redirect` or `.proceed`.
package protocol RedirectAuthenticator: Authenticator {
  /// The method's name, as in `SessionProof.method`.
  static var method: String { get }

  /// Makes the machine that waits for its redirect from what `record` wrote; `nil` for anything
  /// else.
  init?(record: Facts)

  /// What the machine needs to continue, secrets included.
  var record: Facts { get }

  /// How long it waits between two questions whether the person is done; `nil` where it asks none.
  ///
  /// A server may lengthen it permanently (RFC 8628 section 3.5): the stored record is then
  /// replaced.
  var interval: Duration? { get }
}

extension RedirectAuthenticator {
  /// It asks none.
  package var interval: Duration? { nil }
}

/// The closed list of logins that can wait for a redirect: finds the type of a stored name.
package enum RedirectAuthenticators {
  private static let types: [any RedirectAuthenticator.Type] = [
    LiferayOAuth2Authenticator<LiferayRedirectGrant>.self, LiferayOAuth1Authenticator.self,
    OAuth1Authenticator.self,
    OAuth2Authenticator<PlainOAuth2>.self, OAuth2Authenticator<OpenIDConnect>.self,
  ]

  /// Makes a waiting machine again; `nil` for an unknown method or a record that is not its own.
  package static func decode(
    method: String, record: Facts
  ) -> (any RedirectAuthenticator)? {
    types.first { $0.method == method }?.init(record: record)
  }
}
