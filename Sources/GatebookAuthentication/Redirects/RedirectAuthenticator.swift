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
}
