package import GatebookEvents

/// A login method that waits for the person: at a page of the server, or with a code at another
/// device.
///
/// The wait may end in another process, after a restart: what the machine holds when it answered
/// `.open` or `.show` is kept sealed, and a machine made from it goes on with `.redirect` or
/// `.proceed`.
package protocol RedirectAuthenticator: Authenticator {
  /// The method's name, as in `SessionProof.method`.
  static var method: String { get }

  /// Makes the machine that waits for its redirect from what `record` wrote; `nil` for anything
  /// else.
  init?(record: Facts)

  /// What the machine needs to go on, secrets included.
  var record: Facts { get }

  /// How long it waits between two questions whether the person is done; `nil` where it asks none.
  ///
  /// A server may lengthen that for good (RFC 8628 section 3.5): what is kept then is made anew.
  var interval: Duration? { get }
}

extension RedirectAuthenticator {
  /// It asks none.
  package var interval: Duration? { nil }
}

/// The closed list of logins that can wait for a redirect: finds the type behind a stored name.
package enum RedirectAuthenticators {
  private static let types: [any RedirectAuthenticator.Type] = [
    LiferayRedirectAuthenticator.self, LiferayOAuth1Authenticator.self, OAuth1Authenticator.self,
    OAuth2Authenticator<PlainOAuth2>.self, OAuth2Authenticator<OpenIDConnect>.self,
  ]

  /// Makes a waiting machine again; `nil` for an unknown method or a record that is not its own.
  package static func decode(
    method: String, record: Facts
  ) -> (any RedirectAuthenticator)? {
    types.first { $0.method == method }?.init(record: record)
  }
}
