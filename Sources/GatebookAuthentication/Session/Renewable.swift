package import GatebookEvents

/// A session that can be renewed without asking anybody.
package protocol Renewable: SessionProof {
  /// What renews the session: a login with the saved password, a refresh token; `nil` if there is
  /// none or it may not be used for that.
  func renewal(jar: CookieJar) -> (any Authenticator)?

  /// Whether the session should be renewed before the next request.
  ///
  /// - Parameter age: How long ago it was made or last renewed.
  /// - Returns: `true` when the session has, or soon will have, ended at the server.
  func needsRenewal(atAge age: Duration) -> Bool

  /// Whether a request must wait for the renewal that is due.
  ///
  /// - Parameter age: How long ago it was made or last renewed.
  /// - Returns: `true` when what the session has is over, or too nearly over to be used.
  func isRenewalUrgent(atAge age: Duration) -> Bool

  /// Whether the session still serves where a renewal that was due could not be made.
  ///
  /// - Parameter age: How long ago it was made or last renewed.
  /// - Returns: `false` if nothing is left to continue with.
  func isUsable(atAge age: Duration) -> Bool

  /// The server that renews the session.
  var renewalOrigin: Origin { get }

  /// What is to be found out before a renewal begins, and uses nothing up, such as where the server
  /// is now.
  ///
  /// - Parameter moment: Now.
  /// - Returns: A machine whose outcome has the proof with what was found; `nil` for nothing.
  func preparation(at moment: Moment) -> (any Authenticator)?
}

extension Renewable {
  /// This.
  package var renewable: (any Renewable)? { self }

  /// No: its end is not known.
  package func needsRenewal(atAge age: Duration) -> Bool { false }

  /// As soon as it is due.
  package func isRenewalUrgent(atAge age: Duration) -> Bool {
    needsRenewal(atAge: age)
  }

  /// No: what was due to be renewed counts as over.
  package func isUsable(atAge age: Duration) -> Bool { false }

  /// The one that the session was made at.
  package var renewalOrigin: Origin { origin }

  /// Nothing.
  package func preparation(at moment: Moment) -> (any Authenticator)? { nil }
}
