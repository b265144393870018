extension Ledger {
  /// Whether the book is in trouble, and not the session: that never ends one (rule 9).
  static func isStorageOrKeyFailure(_ code: FailureCode) -> Bool {
    code.isOfStorage || code.rawValue.hasPrefix("key.")
  }

  /// Whether the book cannot take events now, though it can be read.
  static func isUnwritable(_ code: FailureCode) -> Bool {
    [.storageFull, .storageReadOnly, .storageBusy].contains(code)
  }

  /// The boot-time clock, for events from which the unconfirmed time is counted.
  func countedClock(of session: OpenSession) -> (boot: Duration?, bootID: BootID?) {
    guard session.state.offline != nil else { return (nil, nil) }
    let now = clock.now()
    return (now.boot, now.bootID)
  }
}
