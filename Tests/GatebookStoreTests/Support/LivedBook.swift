import GatebookEvents

@testable import GatebookStore

/// A small book as people make it: three log in and renew, one of them logs out, one was erased.
enum LivedBook {
  static let cy = AccountID(high: 0xC1, low: 3)
  static let dee = AccountID(high: 0xDEE, low: 4)
  static let accounts = [TestBook.ada, TestBook.bob, cy, dee]

  static func make(of book: TestBook? = nil) async throws -> TestBook {
    let book = try book ?? TestBook()
    let store = try await book.open()
    for (index, account) in accounts.enumerated() {
      _ = try await store.append(.login(account, session(account)))
      _ = try await store.append(switching(to: account))
      if index < 2 { _ = try await store.append(saving(account)) }
    }
    try await live(store, rounds: 2...9)
    // Longer than a page: the rest of it is on other pages.
    _ = try await store.append(
      Append([
        ProposedEvent(
          .attributesChanged, account: TestBook.ada, session: session(TestBook.ada),
          personal: ["attributes": .object(["about": .text(String(repeating: "a", count: 9000))])])
      ]))
    _ = try await store.append(.erasing(dee))
    _ = try await store.append(
      Append(
        [
          ProposedEvent(.logoutRequested, account: cy, session: session(cy), data: ["by": "user"])
        ], removing: cy))
    try await live(store, rounds: 10...12)
    await store.close()
    return book
  }

  /// Renews sessions, and tells what came besides.
  static func live(_ store: EventStore, rounds: ClosedRange<Int>) async throws {
    for generation in rounds {
      for account in accounts.prefix(generation < 10 ? 4 : 2) {
        _ = try await store.append(renewal(account, Int64(generation)))
      }
      _ = try await store.append(.about(TestBook.bob, "bob \(generation)"))
      _ = try await store.append(.note("\(generation)"))
    }
  }

  static func session(_ account: AccountID) -> SessionID {
    SessionID(high: 0x5E55, low: account.low)
  }

  private static func renewal(_ account: AccountID, _ generation: Int64) -> Append {
    var append = Append([
      ProposedEvent(
        .refreshStarted, account: account, session: session(account),
        data: ["attempt": 1, "generation": .integer(generation - 1)]),
      ProposedEvent(
        .refreshSucceeded, account: account, session: session(account), cause: .proposed(0),
        data: ["boot": 1000, "generation": .integer(generation)]),
    ])
    append.vault = [
      .set(account, purpose: "session", generation: generation, content: Array("new".utf8))
    ]
    return append
  }

  private static func switching(to account: AccountID) -> Append {
    Append([
      ProposedEvent(
        .accountSwitched, account: account, data: ["to": .text(account.description)])
    ])
  }

  private static func saving(_ account: AccountID) -> Append {
    var append = Append([
      ProposedEvent(.credentialsSaved, account: account, data: ["purpose": "login"])
    ])
    append.vault = [
      .set(account, purpose: "credentials", generation: 1, content: Array("pass".utf8))
    ]
    return append
  }
}

extension Append {
  fileprivate init(_ events: [ProposedEvent], removing account: AccountID) {
    self.init(events)
    vault = [.remove(account, purpose: "session")]
  }
}
