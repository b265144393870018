public import GatebookEvents

/// What a recovery has brought from a damaged book, and what is lost.
public struct Recovery: Hashable, Sendable {
  /// The new book's file.
  public let path: String
  /// How many events the damaged book had, as far as it can be told.
  public let size: Int64
  /// How many of them are in the new book, or in the archive that it goes on from.
  public let kept: Int64
  /// The last event that is in the archive that the book goes on from; `.start` where there is none.
  public let archived: Position
  /// The positions of the others, in order.
  public let lost: [ClosedRange<Position>]
  /// Whether the tree goes on as it was: checkpoints from before stay good, and so do proofs.
  public let isProven: Bool
  /// Whether the end of the log is known: without the damaged book's head, or with a torn write-ahead log,
  /// events may be missing behind it that nothing tells of.
  public let hasEnd: Bool
  /// How many frames of the write-ahead log, from a damaged one on, were not read: events, and secrets that
  /// were renewed, may stand in them.
  public let unreadFrames: Int64
  /// Whether the state that the book began with is what it was.
  ///
  /// Nothing of it is in the new book otherwise, what was counted before its first event neither. Where
  /// the book has all of its past it is.
  public let hasBeginning: Bool
  /// Runs of events that are all there, and do not make the root that was kept of them: one of them was
  /// rewritten, or the root is what is damaged.
  public let rewritten: [ClosedRange<Position>]
  /// How many accounts the new book knows the state of.
  public let accounts: Int64
  /// Accounts whose last events may be missing from their state.
  public let stale: [AccountID]
  /// How many pages of the damaged file are missing or hold nothing that is known: what stood on them and
  /// nowhere else is lost, such as where copies of the book are, or a login that waited.
  public let lostPages: Int64
  /// How many accounts are lost whole: nothing tells any more which they were.
  public let unknownAccounts: Int64
  /// Accounts whose state is lost, and with it who they are: a login of the same person makes a new one.
  public let withoutState: [AccountID]
  /// Accounts whose key is lost: who they are and what they kept can never be opened again.
  public internal(set) var withoutKey: [AccountID]
  /// Accounts that no name leads to any more: a login of the same person makes a new one.
  public internal(set) var withoutLookup: [AccountID]
  /// Accounts whose saved credentials are lost: somebody has to give them again.
  public internal(set) var withoutCredentials: [AccountID]
  /// Accounts with a session whose secret is lost: they have to log in again.
  public internal(set) var withoutSecret: [AccountID]
  /// Other secrets that are there and do not open, such as what an account trusts.
  public internal(set) var otherSecrets: [LostSecret] = []
  /// Whether everything sealed was opened to see that it is as it was: without the book's key that is not
  /// known.
  public internal(set) var hasOpenedSecrets = false

  /// Whether nothing is known to be lost.
  public var isWhole: Bool {
    lost.isEmpty && isProven && hasEnd && hasBeginning && rewritten.isEmpty && stale.isEmpty
      && unknownAccounts == 0 && withoutState.isEmpty && withoutKey.isEmpty
      && withoutLookup.isEmpty && withoutCredentials.isEmpty && withoutSecret.isEmpty
      && otherSecrets.isEmpty
  }

  /// Adds the accounts whose secrets stand in the vault and do not open.
  ///
  /// - Parameter book: The new book with its key; `nil` where the key is not at hand.
  mutating func look(into book: BookReader?) {
    guard let changed = try? book?.changedSecrets() else { return }
    hasOpenedSecrets = true
    for (account, purpose) in changed {
      switch purpose {
      // A session may live by its cookies alone.
      case "session", "cookies": Self.add(account, to: &withoutSecret)
      case "credentials": Self.add(account, to: &withoutCredentials)
      default: otherSecrets.append(LostSecret(account: account, purpose: purpose))
      }
    }
  }

  private static func add(_ account: AccountID, to accounts: inout [AccountID]) {
    if !accounts.contains(account) { accounts = (accounts + [account]).sorted() }
  }
}
