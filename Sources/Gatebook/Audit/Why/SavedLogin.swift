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
    case .none: "Nothing was saved that could log it in again."
    case .usable: "What was saved can log it in again."
    case .begun:
      "What was saved can log it in again, unless the login that was begun with it, of which no end is "
        + "recorded, has used it up."
    case .gone: "What was saved to log it in again is no longer in the vault."
    case .changed:
      "What was saved to log it in again was changed in the vault and cannot be decrypted."
    case .usedUp: "What was saved to log it in again is used up."
    case .refusedSilently:
      "What it was renewed with is kept: it is tried once more if somebody asks for it."
    case .refusedByServer:
      "The server refused what was saved to log it in again. It is not sent again unless you ask for it."
    case .refused:
      "What was saved could not log it in again, and is not sent any more by itself."
    case .sharedWithSession:
      "What was saved to log it in again is the same that the server has refused, and is not sent any "
        + "more by itself."
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
    let isKept = try hasSecret(of: account, purpose: Purpose.credentials)
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
    let code = try event(at: use.position)?.data["code"]?.text.map(FailureCode.init(rawValue:))
    return [.credentialsRefused, .tokenRefused, .sessionRefused].contains(code)
      ? .refusedByServer : .refused
  }
}
