internal import Gatebook

/// Words the failures of a login: of a server that no account trusts there is no key that could have
/// changed, which the failure's fault says.
@MainActor enum LoginTrouble {
  /// Runs a login and words its failure.
  static func worded<Value>(_ body: @MainActor () async throws -> Value) async throws -> Value {
    do {
      return try await body()
    } catch let error as GatebookError {
      throw worded(error)
    }
  }

  /// What became of a redirect, in the same words: the browser's page says what the command says.
  static func worded(_ ending: RedirectEnding) -> RedirectEnding {
    switch ending {
    case .failed(let error): .failed(worded(error))
    case .loggedIn, .refused: ending
    }
  }

  /// By what the event of the failure says too.
  private static func worded(_ error: GatebookError) -> GatebookError {
    guard error.code == .tlsKeyChanged, error.fault == "key.named" else { return error }
    var worded = error
    worded.message = "The key that was named is not the one that the server shows."
    worded.remedy =
      "Nothing was sent to it. Compare the key above with what its owner says, then log in with that "
      + "one: a slip of the pen looks like this, and so does somebody in between."
    return worded
  }
}
