internal import GatebookEvents
internal import GatebookStore

/// Writes a book with exactly so many events, for tests of other programs.
struct BookMaking {
  let path: String
  let events: Int

  func run() async throws(GatebookError) {
    let book = try await BenchBook.make(at: path)
    var filled = 1 + BenchBook.accounts * 2
    guard events >= filled else {
      throw GatebookError(
        .configurationInvalid, "A book has at least \(filled) events.",
        remedy: "Ask for more events.")
    }
    while filled < events {
      let count = min(1000, events - filled)
      _ = try await book.store.append(Append((filled..<filled + count).map(book.event)))
      filled += count
    }
    await book.store.close()
    print("events=\(filled) key=\(path).key")
  }
}
