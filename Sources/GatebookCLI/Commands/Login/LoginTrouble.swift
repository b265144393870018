internal import Gatebook

/// Words the failures of a login by what the book holds: of a server that no account trusts there is
/// no key that could have changed.
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
    guard error.code == .tlsKeyChanged, !keys.isEmpty, await !isKept() else { return error }
    return GatebookError(
      error.code, "The key that was named is not the one that the server shows.",
      kept: error.kept,
      remedy: "Nothing was sent to it. Compare the key above with what its owner says, then log in "
        + "with that one: a slip of the pen looks like this, and so does somebody in between.",
      cause: error.cause, status: error.status, serverCode: error.serverCode)
  }

  /// Whether an account trusts one of the named keys already: then it was right once.
  private func isKept() async -> Bool {
    for account in (try? await book.accounts()) ?? [] {
      guard let trust = try? await book.trust(of: account.account) else { continue }
      if (trust.pins + trust.exceptions.map(\.key)).contains(where: keys.contains) { return true }
    }
    return false
  }
}
