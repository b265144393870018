internal import Gatebook

/// Words the failures of a login by what the book holds: of a first login there is no session that
/// was kept, and no key that could have changed.
@MainActor struct LoginTrouble {
  private let book: SessionBook
  /// The keys that were named for this login.
  private let keys: [KeyHash]

  init(_ book: SessionBook, _ request: LoginRequest) {
    self.book = book
    keys = request.namedKeys
  }

  /// Runs a login and words its failure.
  func worded<Value>(_ body: @MainActor () async throws -> Value) async throws -> Value {
    do {
      return try await body()
    } catch let error as GatebookError {
      throw await worded(error)
    }
  }

  private func worded(_ error: GatebookError) async -> GatebookError {
    let accounts = (try? await book.accounts()) ?? []
    let kept = accounts.isEmpty ? "No account was made." : "Sessions are as before."
    guard error.code == .tlsKeyChanged, !keys.isEmpty, await !isKept(in: accounts) else {
      return Self.copy(error, kept: error.kept == Self.keptSession ? kept : error.kept)
    }
    return Self.copy(
      error, message: "The key that was named is not the one that the server shows.", kept: kept,
      remedy: "Nothing was sent to it. Compare the key above with what its owner says, then log in "
        + "with that one: a slip of the pen looks like this, and so does somebody in between.")
  }

  /// Whether an account trusts one of the named keys already: then it was right once.
  private func isKept(in accounts: [SessionContext]) async -> Bool {
    for account in accounts {
      guard let trust = try? await book.trust(of: account.account) else { continue }
      if (trust.pins + trust.exceptions.map(\.key)).contains(where: keys.contains) { return true }
    }
    return false
  }

  /// What the transport says of every request: there is one, it supposes.
  private static let keptSession = "The session is kept."

  private static func copy(
    _ error: GatebookError, message: String? = nil, kept: String, remedy: String? = nil
  ) -> GatebookError {
    GatebookError(
      error.code, message ?? error.message, kept: kept, remedy: remedy ?? error.remedy,
      cause: error.cause, status: error.status, serverCode: error.serverCode)
  }
}
