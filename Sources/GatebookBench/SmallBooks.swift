internal import GatebookEvents
internal import GatebookStore

/// Many small books, each with identities of its own.
struct SmallBooks {
  let folder: String

  /// Makes `FOLDER/1` and the others, each with two accounts and a key file beside it.
  func make(_ count: Int, events: Int) async throws(GatebookError) {
    for number in 1...count {
      let book = try await BenchBook.make(at: "\(folder)/\(number)", accounts: 2)
      try await book.switchToLast()
      try await book.fill(from: 6, to: events)
      await book.store.close()
    }
    print("books=\(count)")
  }
}
