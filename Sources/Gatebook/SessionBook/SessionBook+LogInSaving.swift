extension SessionBook {
  /// Logs a user in with the two options that most apps need.
  ///
  /// ```swift
  /// let ada = try await book.logIn(method, label: "work", saving: true)
  /// ```
  ///
  /// It is ``logIn(_:options:browser:)`` with a label, and with or without saved credentials.
  ///
  /// - Parameters:
  ///   - method: How to log in, such as `.http(url:user:password:)`.
  ///   - label: A label for the account, if it has none; `nil` for none.
  ///   - isSaving: Whether Gatebook saves credentials to log in again automatically, also after a
  ///     logout: see ``LoginOptions/saveCredentials``.
  ///   - browser: Shows the server's page, or the code for another device, to the user; only for
  ///     methods that have one.
  /// - Returns: The account's context.
  /// - Throws: What ``logIn(_:options:browser:)`` throws.
  public func logIn(
    _ method: LoginMethod, label: String?, saving isSaving: Bool = false,
    browser: (any Browser)? = nil
  ) async throws(GatebookError) -> SessionContext {
    try await logIn(
      method, options: LoginOptions(label: label, saveCredentials: isSaving), browser: browser)
  }
}
