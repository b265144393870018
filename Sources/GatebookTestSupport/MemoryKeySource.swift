public import Gatebook
internal import GatebookSystem

/// Keeps master keys in memory only, for tests: nothing is written, nothing survives the process.
///
/// One source serves any number of books, and continues to serve them when they are opened again.
public final class MemoryKeySource: KeySource {
  private let keys = Locked<[BookID: Secret]>([:])

  /// Makes a source without keys.
  public init() {}

  /// Makes a key and keeps it; a book that has one already gets the same.
  public func make(
    for book: BookID, random: any RandomSource
  ) throws(GatebookError) -> (key: Secret, description: KeyDescription) {
    let fresh = Secret(random.bytes(32))
    let key = keys.withLock { keys in
      let key = keys[book] ?? fresh
      keys[book] = key
      return key
    }
    return (key, KeyDescription(source: "memory", parameters: [:]))
  }

  /// Brings the key of a book.
  ///
  /// - Throws: `key.missing` for a book that it does not know.
  public func open(
    _ description: KeyDescription, of book: BookID
  ) throws(GatebookError) -> Secret {
    guard let key = keys.withLock({ $0[book] }) else {
      throw GatebookError(
        .keyMissing, "This book's key is not in this process's memory.",
        kept: "The book and its log are whole; only personal facts and secrets stay closed.",
        remedy: "Open the book with the source that made it.")
    }
    return key
  }

  /// Keeps a key that a book has already.
  public func keep(
    _ key: Secret, of book: BookID, random: any RandomSource
  ) throws(GatebookError) -> KeyDescription {
    keys.withLock { $0[book] = key }
    return KeyDescription(source: "memory", parameters: [:])
  }

  /// Forgets the key of a book that has moved elsewhere.
  public func remove(
    _ former: KeyDescription, of book: BookID, movedTo place: KeyDescription
  ) throws(GatebookError) -> String? {
    keys.withLock { $0[book] = nil }
    return nil
  }

  /// Forgets all keys, as if the machine had lost them.
  public func forget() {
    keys.withLock { $0 = [:] }
  }

  /// Puts another key in the place of a book's own, as if the wrong one had been brought back.
  public func replaceKey(of book: BookID, with key: Secret) {
    keys.withLock { $0[book] = key }
  }
}
