internal import GatebookStore

/// What the vault has of the secrets that a session is used with.
enum KeptSession: Equatable {
  /// They are there and can be decrypted, or there is no session.
  case whole
  /// They are there; without the book's key it is not known whether they can be decrypted.
  case unchecked
  /// They are not in the vault.
  case missing
  /// They were changed and cannot be decrypted.
  case changed
  /// The account's key is not in the book, and without it nothing of the account can be decrypted.
  case keyless

  /// Whether the session can be used for all that is known.
  var isUsable: Bool { self == .whole || self == .unchecked }

  /// Why the session cannot be used; `nil` where it can.
  var loss: Sentence? {
    switch self {
    case .whole, .unchecked: nil
    case .missing:
      "The account cannot be used: the secret of its session is missing from the book. The next use "
        + "ends the session."
    case .changed:
      "The account cannot be used: the secret of its session was changed in the book and cannot be "
        + "decrypted."
    case .keyless:
      "The account cannot be used: its key is missing from the book, and without it none of the account's "
        + "secrets can be decrypted."
    }
  }

  /// What could not be checked; `nil` where all was.
  var unchecked: Sentence? {
    guard self == .unchecked else { return nil }
    return
      "Without the book's key, Gatebook could not check whether the secret of the session can be decrypted."
  }
}

extension BookReader {
  /// What the vault has of the secrets that an account's session is used with.
  ///
  /// - Throws: Storage failures.
  func keptSession(
    of account: AccountID, _ state: AccountState
  ) throws(GatebookError) -> KeptSession {
    // Nobody uses an archive's secrets: the book that continues it has its own.
    guard state.state.isUsable, state.session != nil, try !isArchive() else { return .whole }
    // Of a pulled book the vault stayed in the book itself.
    guard try !isPulled() else { return .unchecked }
    guard try hasSecret(of: account, purpose: Purpose.session) else {
      return try accountsWithoutKey().contains(account) ? .keyless : .missing
    }
    guard hasKey else { return .unchecked }
    for purpose in [Purpose.session, Purpose.cookies] {
      guard try opens(purpose, of: account) else { return .changed }
    }
    return .whole
  }

  /// Whether a secret can be decrypted, or there is none.
  func opens(_ purpose: String, of account: AccountID) throws(GatebookError) -> Bool {
    do throws(GatebookError) {
      _ = try secret(of: account, purpose: purpose)
      return true
    } catch  where error.code == .storageDamaged {
      return false
    }
  }
}
