internal import GatebookEvents

extension LogAppender {
  /// Refuses what cannot be written whole, before anything of it is: a refusal in the middle would
  /// leave half of it in a transaction that other callers share.
  func check(_ append: Append) throws(GatebookError) {
    var made: Set<AccountID> = []
    for account in append.newAccounts {
      guard made.insert(account.id).inserted, try dictionaries.account(account.id) == nil else {
        throw GatebookError.changedMeanwhile
      }
      for hash in account.lookups
      where try connection.has("SELECT 1 FROM account_lookup WHERE hash = ?1", hash) {
        throw GatebookError.changedMeanwhile
      }
    }
    for lookup in append.lookups where !made.contains(lookup.account) {
      _ = try livingStream(of: lookup.account)
    }
    for (index, event) in append.events.enumerated() { try check(event, at: index, made) }
    for change in append.vault {
      switch change {
      case .set(let account, _, _, _) where !made.contains(account):
        _ = try livingStream(of: account)
        try provideKey(of: account)
      case .remove(let account, _) where !made.contains(account):
        _ = try livingStream(of: account)
      case .erase(let account): _ = try livingStream(of: account)
      case .endAttempt(let session):
        guard try connection.has("SELECT 1 FROM attempt WHERE session = ?1", session) else {
          throw GatebookError.changedMeanwhile
        }
      case .moveKey(let from, _):
        guard try BookRow(connection).key == from else { throw GatebookError.changedMeanwhile }
      case .demandDocument(let name, let moment, let spacing):
        guard try !isDemanded(name, at: moment, spacing) else {
          throw GatebookError.changedMeanwhile
        }
      case .keepDocument(let name, _, _, let former):
        guard try sealedDocument(name) == former else { throw GatebookError.changedMeanwhile }
      case .set, .remove, .keepAttempt, .beginCopy, .endCopy, .dropCopy, .withdrawDemand,
        .failDemand, .outdateDocuments:
        break
      }
    }
  }

  private func check(
    _ event: ProposedEvent, at index: Int, _ made: Set<AccountID>
  ) throws(GatebookError) {
    if let account = event.account, !made.contains(account) {
      let stream = try livingStream(of: account)
      if event.personal?.isEmpty == false { _ = try key(of: stream) }
    }
    let isBefore =
      switch event.cause {
      case .none: true
      case .recorded(let position): position > .start && position.rawValue <= size
      case .proposed(let cause): cause >= 0 && cause < index
      }
    guard isBefore else {
      throw GatebookError(
        .preconditionFailed, "An event names a cause that is not before it.",
        remedy: "Name an event of the book, or an earlier event of the same call.")
    }
    guard max(event.data.depth, event.personal?.depth ?? 0) <= Facts.maximumDepth else {
      throw GatebookError(
        .limitExceeded, "The facts of an event are more than \(Facts.maximumDepth) levels deep.",
        remedy: "Record flatter facts.")
    }
  }
}
