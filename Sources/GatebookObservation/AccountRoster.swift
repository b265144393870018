public import Gatebook
public import Observation

/// The accounts of a book for views, which are drawn again when an account changes.
///
/// ```swift
/// let roster = AccountRoster(of: book)
/// for account in roster.accounts { print(account.label?.value ?? account.server, account.state) }
/// ```
///
/// It follows the book from the beginning until it is released or the book is closed, and shows
/// what other processes change too. If the book cannot be read, ``error`` says why, the accounts
/// stay as they were, and it looks again.
@MainActor @Observable
public final class AccountRoster {
  /// All accounts in the order in which they were added; empty until they were read.
  public private(set) var accounts: [SessionContext] = []
  /// Whether the accounts were read: before that, an empty list does not say that there are none.
  public private(set) var isLoaded = false
  /// Why the book cannot be read now; `nil` if it can.
  public private(set) var error: GatebookError?

  @ObservationIgnored private var following: Task<Void, Never>?

  /// Follows the accounts of a book.
  ///
  /// - Parameter book: The book; the roster does not keep it.
  public init(of book: SessionBook) {
    var changes = book.accountChanges().makeAsyncIterator()
    following = Task { [weak self] in
      while !Task.isCancelled {
        do throws(GatebookError) {
          guard let accounts = try await changes.next() else { return }
          self?.show(accounts)
        } catch {
          self?.show(error)
        }
      }
    }
  }

  isolated deinit { following?.cancel() }

  /// The current account; `nil` if there is none.
  public var current: SessionContext? { accounts.first(where: \.isCurrent) }

  private func show(_ accounts: [SessionContext]) {
    self.accounts = accounts
    isLoaded = true
    if error != nil { error = nil }
  }

  private func show(_ error: GatebookError) {
    if self.error != error { self.error = error }
  }
}
