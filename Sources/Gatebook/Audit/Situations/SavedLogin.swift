/// What is left of what was saved to log an account in again.
enum SavedLogin {
  /// Nothing was saved.
  case none
  /// It can be used.
  case usable
  /// It is good for one use, and a login with it has begun that has no recorded end.
  case begun
  /// It is not in the vault any more.
  case gone
  /// It was changed in the vault and cannot be decrypted.
  case changed
  /// It is good for one use, and has had it.
  case usedUp
  /// The server refused it without a word, perhaps for the client's sake: it is kept all the same.
  case refusedSilently
  /// The server refused a login with it.
  case refusedByServer
  /// A login with it failed for another reason.
  case refused
  /// It is the same that the server has refused with the session.
  case sharedWithSession

  /// Whether it is sent where somebody asks for a renewal.
  var canLogIn: Bool { self == .usable || self == .begun }

  /// It, as a sentence.
  var sentence: String {
    switch self {
    case .none: "No saved credentials can log it in again."
    case .usable: "Saved credentials can log it in again."
    case .begun:
      "Saved credentials can log it in again, unless they are used up: a login with them was begun and "
        + "has no recorded end."
    case .gone: "The saved credentials are missing from the book."
    case .changed:
      "The saved credentials were changed in the book and cannot be decrypted."
    case .usedUp: "The saved credentials are used up."
    case .refusedSilently:
      "The rejected refresh token is kept. Gatebook tries it once more if you ask for a renewal."
    case .refusedByServer:
      "The server rejected the saved credentials. Gatebook does not send them again unless you ask for "
        + "a renewal."
    case .refused:
      "A login with the saved credentials failed. Gatebook does not send them again unless you ask for "
        + "a renewal."
    case .sharedWithSession:
      "The saved credentials are the ones that the server rejected. Gatebook does not send them again "
        + "automatically."
    }
  }
}

extension BookReader {
  /// What is left of what an account saved.
  ///
  /// No key is needed; where it is at hand, also whether it can be decrypted is looked for.
  ///
  /// - Throws: Storage failures.
  func savedLogin(
    of account: AccountID, _ state: AccountState
  ) throws(GatebookError) -> SavedLogin {
    // Of a pulled book the vault stayed in the book itself.
    let isKept =
      try isPulled()
      ? state.savedCredentials : hasSecret(of: account, purpose: Purpose.credentials)
    if state.state == .needsLogin(.refusedWithoutReason), !isKept || !state.logsInAgain {
      let hasRefused = try hasSecret(of: account, purpose: Purpose.refused)
      if isKept || hasRefused { return .refusedSilently }
    }
    guard state.savedCredentials else { return .none }
    guard isKept else { return .gone }
    if hasKey, try !opens(Purpose.credentials, of: account) { return .changed }
    guard let use = state.savedUse else { return .usable }
    if use.isUsedUp { return .usedUp }
    guard use.isHalted else { return use.isOpen && use.fingerprint != nil ? .begun : .usable }
    guard use.position != state.cause else { return .sharedWithSession }
    let code = try event(at: use.position)?.failure.code
    return [.credentialsRefused, .tokenRefused, .sessionRefused].contains(code)
      ? .refusedByServer : .refused
  }
}
