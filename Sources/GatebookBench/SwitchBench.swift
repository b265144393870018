internal import Gatebook
internal import GatebookEvents

/// Goes from one account of a book to the next, again and again.
struct SwitchBench {
  /// What is brought of each account.
  enum Way: String {
    /// Its password from the session in memory; nothing was committed since that was read.
    case memory
    /// Its context from the projection.
    case projection
    /// It becomes the current account, by an event on disk.
    case event
  }

  let path: String
  let way: Way
  let rounds: Int

  func run() async throws(GatebookError) {
    let book = try await AccountsBook(path: path).open()
    let accounts = try await book.accounts().map(\.account)
    if way == .memory {
      for account in accounts { try await visit(account, in: book) }
    }
    var latencies = Latencies()
    for round in 0..<rounds {
      let account = accounts[round % accounts.count]
      let begun = ContinuousClock.now
      try await visit(account, in: book)
      latencies.add(ContinuousClock.now - begun)
    }
    await book.close()
    print(latencies.summary)
  }

  private func visit(
    _ account: AccountID, in book: SessionBook
  ) async throws(GatebookError) {
    switch way {
    case .memory:
      guard let url = AccountsBook.url else { return }
      _ = try await book.credential(of: account, for: url)
    case .projection: _ = try await book.context(of: account)
    case .event: try await book.switchAccount(to: account)
    }
  }
}
