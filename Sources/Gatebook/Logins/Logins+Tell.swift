extension Logins {
  /// Sets the delegate that is called when logins end.
  func setLoginDelegate(_ delegate: (any LoginDelegate)?) {
    loginDelegate = delegate
  }

  /// Tells the delegate of a login, once nothing that the delegate may use waits for it.
  ///
  /// - Returns: The login's context.
  func told(_ loggedIn: LoggedIn) async -> SessionContext {
    await tell(loggedIn.news)
    return loggedIn.context
  }

  /// Tells the delegate what has happened, in this order; nothing else calls it.
  func tell(_ news: [LoginNews]) async {
    guard let loginDelegate, !news.isEmpty else { return }
    // In a task of its own: what the delegate does is not cancelled with the caller.
    await startTask {
      for item in news {
        switch item {
        case .response(let context): await loginDelegate.onLoginResponse(context)
        case .saved(let context): await loginDelegate.onCredentialsSaved(context)
        case .failed(let error): await loginDelegate.onLoginError(error)
        case .loaded(let context): await loginDelegate.onCredentialsLoaded(context)
        }
      }
    }.value
  }
}
