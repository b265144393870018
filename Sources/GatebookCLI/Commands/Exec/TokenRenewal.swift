internal import Gatebook

/// Keeps the token of a running program valid.
///
/// It looks at the book once a second, and has it open only for that moment. It requests a token
/// when half of what was left of the last one's time is over, and when the account's session has
/// changed: after a renewal by another process or after a login.
@MainActor final class TokenRenewal {
  /// How often it looks at the book.
  private static let interval = Duration.seconds(1)
  /// How long it waits after a failure, and at most after many.
  private static let patience = (first: Duration.seconds(5), most: Duration.seconds(60))

  private let renewed: RenewedToken
  private let end: ProgramEnd
  private let call: Call
  private let lifetime: Duration
  private let scope: String?
  /// The longest time that a token had left: what MobileFirst's tokens live, which are renewed
  /// only when somebody asks for a longer time.
  private var longest = Duration.zero
  private var due: Timestamp?
  private var patience = patience.first
  /// The code of the failure that was told; `nil` for none since the last success.
  private var told: FailureCode?

  /// - Throws: `UsageError`.
  init(_ renewed: RenewedToken, until end: ProgramEnd, _ call: Call) throws(UsageError) {
    self.renewed = renewed
    self.end = end
    self.call = call
    lifetime = try call.arguments.seconds(TokenCommand.lifetime) ?? .zero
    scope = call.arguments[TokenCommand.scope]
  }

  private var now: Timestamp { call.surroundings.clock.now().wall }

  /// Renews until the program has ended.
  ///
  /// - Parameters:
  ///   - expiry: When the first token expires; `nil` if the server did not say.
  ///   - seen: The session before that token was taken; `nil` if it could not be read.
  func run(validUntil expiry: Timestamp?, seen: String?) async {
    plan(validUntil: expiry)
    var seen = seen
    while true {
      await call.surroundings.clock.pause(for: Self.interval)
      let current = Self.session(of: call.globals.account.flatMap { AccountID($0) }, call)
      let hasChanged = current != nil && current != seen
      guard hasChanged || due.map({ $0 <= now }) == true else { continue }
      guard end.begin() else { return }
      await renew()
      guard end.finish() else { return }
      // What has changed since it was read is seen the next time.
      seen = current ?? seen
    }
  }

  /// What changes with a login, a renewal and the session's end; `nil` where it cannot be read now.
  static func session(of account: AccountID?, _ call: Call) -> String? {
    guard let account,
      let state = try? BookReader.open(at: call.globals.book).state(of: account)
    else { return nil }
    return "\(state.session?.description ?? "none")/\(state.generation)/\(state.state.isUsable)"
  }

  private func renew() async {
    // A tenth of its lifetime is enough to get another one.
    let least = max(lifetime, longest / 10)
    do {
      let expiry = try await call.withBook { book in
        let account = try await call.account(book)
        let isMobileFirst = account.method == "mobilefirst"
        var expiry: Timestamp?
        try await call.withToken(
          of: account, in: book, lifetime: isMobileFirst ? least : lifetime, scope: scope
        ) { token in
          try end.deliver { try renewed.replace(by: token) }
          expiry = token.expiresAt
        }
        return expiry
      }
      if told != nil { call.output.message("The token of the running program is renewed again.") }
      (told, patience) = (nil, Self.patience.first)
      plan(validUntil: expiry)
    } catch {
      tell(error)
      let wait = max(patience, (error as? GatebookError)?.retryAfter ?? .zero)
      patience = min(patience * 2, Self.patience.most)
      // A login of a person changes the session, which is seen.
      due = ErrorReport.of(error).exit == .loginNeeded ? nil : now + wait
    }
  }

  private func plan(validUntil expiry: Timestamp?) {
    due = expiry.map { expiry in
      let rest = expiry - now
      longest = max(longest, rest)
      let half = now + rest / 2
      return lifetime > .zero ? min(half, expiry - lifetime) : half
    }
  }

  /// Tells a failure once.
  private func tell(_ error: any Error) {
    guard var error = error as? GatebookError else {
      return call.output.report(ErrorReport.of(error, account: call.givenAccount))
    }
    guard told != error.code else { return }
    told = error.code
    error.message = "The token of the running program was not renewed. \(error.message)"
    error.kept = "The program continues with the token that it has."
    if ErrorReport.of(error).exit == .loginNeeded {
      error.remedy += " The program then gets a new token."
    } else {
      error.remedy += " Gatebook tries again until the program ends."
    }
    call.output.report(ErrorReport.of(error, account: call.givenAccount))
  }
}
