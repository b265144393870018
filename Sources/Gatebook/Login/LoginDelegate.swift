/// Hears how logins end, for apps that are built around callbacks.
///
/// The same facts are in the event stream. For one login the order is: `onLoginResponse`, then
/// `onCredentialsSaved` when credentials were saved; or one `onLoginError` and nothing else.
/// Each comes once, after its events are on disk and before the call that logs in returns. A class
/// bound to an actor, such as the main actor, is called there. It may use the same account, and wait for
/// that: nothing of Gatebook waits for it but the call that began the login. A login that Gatebook began
/// by itself, in the place of a session that cannot be renewed, is told of in the same way, also where
/// nobody waits for it any more. Where a server refuses to renew a session for good, or answers for another
/// user, and nothing that was saved logs in instead, `onLoginError` tells that, once for that session: only
/// a login helps then. Only in a flow of security checks a call that needs a check waits for
/// that flow, and so for the delegate.
///
/// Source: Login Screenlet, delegate.
public protocol LoginDelegate: AnyObject, Sendable {
  /// A login succeeded; the session is in the book.
  func onLoginResponse(_ context: SessionContext) async

  /// A login failed or was cancelled, and nothing but the log has changed; or a session has ended, since
  /// its server no longer renews it.
  func onLoginError(_ error: GatebookError) async

  /// The login's credentials were saved.
  func onCredentialsSaved(_ context: SessionContext) async

  /// A session came back from the book, without the network.
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
