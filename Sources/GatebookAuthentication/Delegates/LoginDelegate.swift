public import GatebookEvents

/// Is called when logins end, for apps with callbacks.
///
/// The same facts are in the event stream. For one login the order is: `onLoginResponse`, then
/// `onCredentialsSaved` if credentials were saved; or only one `onLoginError`. Each is called once,
/// after its events are on disk and before the login call returns. A class that is bound to an
/// actor, such as the main actor, is called there. It may use the same account and wait for that:
/// nothing in Gatebook waits for the delegate except the call that began the login. Logins that
/// Gatebook starts automatically, instead of a session that cannot be renewed, are reported in the
/// same way. If a server ends a session or answers for a different user, and no saved credentials
/// log in instead, `onLoginError` is called once for that session: then only a login helps. In a
/// flow of security checks, calls that need a check wait for the flow, and so for the delegate.
///
/// Source: Login Screenlet, delegate.
public protocol LoginDelegate: AnyObject, Sendable {
  /// A login succeeded; the session is in the book.
  func onLoginResponse(_ context: SessionContext) async

  /// A login failed or was cancelled, and only the log has changed; or a session ended because its
  /// server no longer renews it.
  func onLoginError(_ error: GatebookError) async

  /// The login's credentials were saved.
  func onCredentialsSaved(_ context: SessionContext) async

  /// A session was resumed from the book, without the network.
  func onCredentialsLoaded(_ context: SessionContext) async
}

extension LoginDelegate {
  /// Does nothing.
  public func onLoginResponse(_ context: SessionContext) async {}

  /// Does nothing.
  public func onLoginError(_ error: GatebookError) async {}

  /// Does nothing.
  public func onCredentialsSaved(_ context: SessionContext) async {}

  /// Does nothing.
  public func onCredentialsLoaded(_ context: SessionContext) async {}
}
