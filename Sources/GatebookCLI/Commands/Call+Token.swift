internal import Gatebook

/// An access token as commands hand it out.
struct IssuedToken: Sendable {
  /// The token.
  let value: Secret
  /// What it opens, separated by blanks.
  let scope: String
  /// `nil` if the server did not say.
  let expiresAt: Timestamp?

  /// The token as text.
  var text: String { value.withBytes { String(decoding: $0, as: UTF8.self) } }
}

extension Call {
  /// Hands out an access token of an account that is valid now, and tells what its renewal brought.
  ///
  /// - Parameters:
  ///   - account: The account.
  ///   - book: The book.
  ///   - lifetime: How long it must still be valid.
  ///   - scope: The scopes that it must have, separated by blanks; `nil` for the default scope.
  ///   - hand: Hands it out, at once: where the book cannot be written, that it is closed takes its
  ///     time.
  /// - Throws: As ``SessionBook/token(for:minimumLifetime:scopes:)`` and
  ///   ``AuthorizationManager/obtainAccessToken(forScope:)``, with the account's state in words.
  func withToken(
    of account: SessionContext, in book: SessionBook, lifetime: Duration, scope: String?,
    _ hand: (IssuedToken) throws -> Void
  ) async throws {
    guard account.method == "mobilefirst" else {
      let scopes = scope?.split(separator: " ").map(String.init) ?? []
      let watch = try await RenewalWatch(account.account, in: book)
      let token = try await worded(account.account, in: book) {
        try await renewed(
          try await book.token(for: account.account, minimumLifetime: lifetime, scopes: scopes),
          of: account.account, scopes, in: book)
      }
      if !token.isRecorded {
        output.message("The book cannot be written now, so this token is not saved in it yet.")
      }
      try hand(
        IssuedToken(
          value: token.value, scope: token.scopes.joined(separator: " "),
          expiresAt: token.expiresAt))
      for line in await watch.news(in: book) { output.message(line) }
      return
    }
    guard account.state.isUsable else { throw try await unusable(account, in: book) }
    let manager = try await book.authorizationManager(of: account.account)
    var token = try await manager.obtainAccessToken(forScope: scope)
    if token.expiresAt < surroundings.clock.now().wall + lifetime {
      try await manager.clearAccessToken(token)
      token = try await manager.obtainAccessToken(forScope: scope)
    }
    try hand(
      IssuedToken(value: token.value, scope: token.grantedScope, expiresAt: token.expiresAt))
  }

  /// A token, or the one that takes its place: a command does not end before a renewal that is
  /// under way, and what it handed out would be over then.
  private func renewed(
    _ token: BearerToken, of account: AccountID, _ scopes: [String], in book: SessionBook
  ) async throws -> BearerToken {
    guard await settlesRenewals(of: book) else { return token }
    do {
      return try await book.token(for: account, scopes: scopes)
    } catch {
      guard token.expiresAt.map({ $0 > surroundings.clock.now().wall }) == false else {
        return token
      }
      throw GatebookError(
        .serverUnavailable, "The token expired before its renewal finished.",
        kept: GatebookError.sessionKept, remedy: "Try again. `gatebook why` explains what happened."
      )
    }
  }
}
