/// Hears how logins end, for apps that are built around callbacks.
///
/// The same facts are in the event stream. For one login the order is: `onLoginResponse`, then
/// `onCredentialsSaved` when credentials were saved; or one `onLoginError` and nothing else.
/// Each comes once, after its events are on disk and before the call that logs in returns. A class
/// bound to an actor, such as the main actor, is called there. It must not wait for a call that uses
/// the same account: where Gatebook logs in by itself, in the place of a session that cannot be renewed,
/// that call waits for this one.
///
/// Source: Login Screenlet, delegate.
public protocol LoginDelegate: AnyObject, Sendable {
  /// A login succeeded; the session is in the book.
  func onLoginResponse(_ context: SessionContext) async

  /// A login failed or was cancelled; nothing but the log has changed.
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
