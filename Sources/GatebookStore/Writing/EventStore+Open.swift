package import GatebookCrypto
package import GatebookEvents
internal import GatebookSystem

extension EventStore {
  /// Opens a book for writing; makes it when there is none.
  ///
  /// - Parameters:
  ///   - path: The book's file.
  ///   - key: Where its master key lives.
  ///   - program: Who writes.
  ///   - clock: The time of events.
  ///   - random: Keys, nonces, ids.
  ///   - wait: How long to wait for other writers.
  /// - Returns: The open store.
  /// - Throws: A `storage` or `key` failure; then nothing was changed.
  package static func open(
    at path: String, key: any KeySource, program: Program, clock: any BookClock,
    random: any RandomSource, wait: Duration
  ) async throws(GatebookError) -> EventStore {
    // Another writer's lock, a keyring that asks the person, scrypt: all of them block.
    try await withTaskExecutorPreference(ThreadExecutor()) { () throws(GatebookError) in
      let file = BookFile(path: path)
      try file.checkFileSystem()
      let content = try file.content()
      guard content != .foreign else {
        throw .noBook
      }
      let opening = try BookOpening(
        file: file, isFresh: try file.create(), key: key, program: program, clock: clock,
        random: random, wait: wait)
      return try EventStore(opening.open())
    }
  }
}
