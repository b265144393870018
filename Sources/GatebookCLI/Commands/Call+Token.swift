internal import Gatebook
internal import GatebookSystem

/// An access token as commands hand it out.
struct IssuedToken: Sendable {
  /// The token.
  let value: Secret
  /// What it opens, separated by blanks.
  let scope: String
  /// `nil` if the server did not say.
  let expiresAt: Timestamp?

  init(value: Secret, scope: String, expiresAt: Timestamp?) {
    self.value = value
    self.scope = scope
    self.expiresAt = expiresAt
  }

  init(_ token: BearerToken) {
    self.init(
      value: token.value, scope: token.scopes.joined(separator: " "), expiresAt: token.expiresAt)
  }

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
      let scopes = Self.scopes(scope)
      let watch = try await RenewalWatch(account.account, in: book)
      let token = try await worded(account.account, in: book) {
        try await renewed(
          try await book.token(for: account.account, minimumLifetime: lifetime, scopes: scopes),
          of: account.account, scopes, in: book)
      }
      if !token.isRecorded {
        output.message("The book cannot be written now, so this token is not saved in it yet.")
      }
      try hand(IssuedToken(token))
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

  /// Hands out an access token that needs no renewal: then the book is only read.
  ///
  /// Not in the agent: its open book may have a later token than the file.
  ///
  /// - Returns: Whether there was one; if not, and where reading fails, the book must be opened.
  func withReadyToken(
    lifetime: Duration, scope: String?, _ hand: (IssuedToken, SessionContext) throws -> Void
  ) throws -> Bool {
    // A passphrase would cost its derivation twice, if the book must be opened after all.
    guard lent == nil, globals.key != .passphrase,
      surroundings["GATEBOOK_PASSPHRASE_FILE"] == nil, let reader = readerAtHand(), reader.hasKey,
      let account = try? account(reader),
      account.method != "mobilefirst",
      let token = try? reader.readyToken(
        of: account.account, minimumLifetime: lifetime, scopes: Self.scopes(scope), now: now)
    else { return false }
    try hand(IssuedToken(token), account)
    return true
  }

  private static func scopes(_ scope: String?) -> [String] {
    scope?.split(separator: " ").map(String.init) ?? []
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
