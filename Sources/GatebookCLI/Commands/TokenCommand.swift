internal import Gatebook

/// `gatebook token`.
struct TokenCommand: Command {
  private static let lifetime = CommandOption.value(
    "--min-lifetime", "S",
    "how many seconds it must still be valid; otherwise a new one is requested (0)")
  private static let scope = CommandOption.value(
    "--scope", "S", "the scopes that it must have, separated by blanks (the default scope)")

  static let help = Help(
    "token", "Print an access token that is valid now.", in: .use,
    details: [
      "A valid token is printed without a request, otherwise a new one is requested. In the "
        + "last fifth of its lifetime a new one is requested first; if none comes, the old one "
        + "is printed while it is valid. The token is a secret: pass it on by a pipe, not as an "
        + "argument. OAuth 2, OpenID Connect and MobileFirst accounts have one. A token that is "
        + "bound to a key (DPoP) works only with `gatebook request`.",
      "A token of OAuth 2 has the scopes of its login. If a scope of --scope is not among "
        + "them, the command names it and fails.",
    ],
    positionals: [.account],
    options: [lifetime, scope, Answers.standardInputOption, LoginArguments.timeoutOption],
    examples: [
      "gatebook token work --min-lifetime 60 | my-program --token-stdin",
      "gatebook token --scope notes",
    ])

  func run(_ call: Call) async throws -> ExitCode {
    let arguments = call.arguments
    let lifetime = try arguments.seconds(Self.lifetime) ?? .zero
    let scope = arguments[Self.scope]
    try await call.withBook { book in
      let account = try await call.account(book)
      guard account.method == "mobilefirst" else {
        let scopes = scope?.split(separator: " ").map(String.init) ?? []
        let watch = try await RenewalWatch(account.account, in: book)
        let token = try await call.worded(account.account, in: book) {
          try await Self.renewed(
            try await book.token(
              for: account.account, minimumLifetime: lifetime, scopes: scopes),
            of: account.account, scopes, in: book, call)
        }
        if !token.isRecorded {
          call.output.message(
            "The book cannot be written now, so this token is not saved in it yet.")
        }
        Self.print(token.value, token.scopes.joined(separator: " "), token.expiresAt, call)
        for line in await watch.news(in: book) { call.output.message(line) }
        return
      }
      guard account.state.isUsable else {
        throw try await call.unusable(account, in: book)
      }
      let manager = try await book.authorizationManager(of: account.account)
      var token = try await manager.obtainAccessToken(forScope: scope)
      if token.expiresAt < call.surroundings.clock.now().wall + lifetime {
        try await manager.clearAccessToken(token)
        token = try await manager.obtainAccessToken(forScope: scope)
      }
      Self.print(token.value, token.grantedScope, token.expiresAt, call)
    }
    return .done
  }

  /// A token, or the one that takes its place: this command does not end before a renewal that is
  /// under way, and what it printed would be over then.
  private static func renewed(
    _ token: BearerToken, of account: AccountID, _ scopes: [String], in book: SessionBook,
    _ call: Call
  ) async throws -> BearerToken {
    guard await book.isRenewing else { return token }
    await book.settleRenewals()
    do {
      return try await book.token(for: account, scopes: scopes)
    } catch {
      guard token.expiresAt.map({ $0 > call.surroundings.clock.now().wall }) == false else {
        return token
      }
      throw GatebookError(
        .serverUnavailable, "The token expired before its renewal finished.",
        kept: GatebookError.sessionKept, remedy: "Try again. `gatebook why` explains what happened."
      )
    }
  }

  /// Prints a token at once: where the book cannot be written, that it is closed takes its time.
  @MainActor private static func print(
    _ token: Secret, _ scope: String, _ expiresAt: Timestamp?, _ call: Call
  ) {
    defer { call.output.flush() }
    let text = token.withBytes { String(decoding: $0, as: UTF8.self) }
    guard call.output.isJSON else { return call.output.line(text) }
    call.output.json(
      .present([
        "token": .text(text), "scope": .text(scope),
        "expiresAt": expiresAt.map { .time($0) },
      ]))
  }
}
