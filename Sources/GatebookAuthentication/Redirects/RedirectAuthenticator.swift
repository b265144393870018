package import GatebookEvents

/// A login method that sends the person to a page of the server.
///
/// The redirect may arrive in another process, after a restart: what the machine holds when it
/// answered `.open` is kept sealed, and a machine made from it goes on with `.redirect`.
package protocol RedirectAuthenticator: Authenticator {
  /// The method's name, as in `SessionProof.method`.
  static var method: String { get }

  /// Makes the machine that waits for its redirect from what `record` wrote; `nil` for anything
  /// else.
  init?(record: Facts)

  /// What the machine needs to go on, secrets included.
  var record: Facts { get }
}
