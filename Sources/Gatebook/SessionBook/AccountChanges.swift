/// All accounts of a book, now and after each change by any process: see
/// ``SessionBook/accountChanges()``.
///
/// Each value is the whole list, as ``SessionBook/accounts()`` returns it. A slow reader gets the
/// newest list, and none of those between. Changes by other processes appear within 50 ms; the
/// expiry of a session is a change too.
public struct AccountChanges: AsyncSequence, Sendable {
  /// The accounts in the order in which they were added.
  public typealias Element = [SessionContext]
  /// Why the book cannot be read.
  public typealias Failure = GatebookError

  private let watch: BookWatch

  init(_ book: SessionBook) {
    watch = BookWatch(book)
  }

  /// Starts with the present accounts.
  public func makeAsyncIterator() -> Iterator {
    Iterator(watch)
  }

  /// Waits for one list after the other.
  public struct Iterator: AsyncIteratorProtocol {
    private var watch: BookWatch
    private var seen: [SessionContext]?

    fileprivate init(_ watch: BookWatch) {
      self.watch = watch
    }

    /// Waits until the accounts differ from those that it returned last.
    ///
    /// After a failure it can be called again: it then looks again after 50 ms, and returns the
    /// accounts as soon as they can be read, even if nothing has changed.
    ///
    /// - Parameter actor: The caller's isolation.
    /// - Returns: The accounts; `nil` once the book is closed or released, or the task is
    ///   cancelled.
    /// - Throws: `storage` failures.
    public mutating func next(
      isolation actor: isolated (any Actor)? = #isolation
    ) async throws(GatebookError) -> [SessionContext]? {
      // An expiry needs no commit.
      let always = seen?.contains(where: \.changesWithTime) ?? true
      // After a failure nothing counts as seen: the accounts that come next say that it is over.
      let before = seen
      seen = nil
      let accounts = try await watch.next(always: always) {
        book throws(GatebookError) -> [SessionContext]? in
        let accounts = try book.accounts()
        return accounts == before ? nil : accounts
      }
      seen = accounts ?? before
      return accounts
    }
  }
}
