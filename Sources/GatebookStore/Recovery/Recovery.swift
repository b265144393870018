public import GatebookEvents

/// What a recovery saved from a damaged book, and what is lost.
public struct Recovery: Hashable, Sendable {
  /// The new book's file.
  public let path: String
  /// How many events the damaged book had, as far as that is known.
  public let size: Int64
  /// How many of them are in the new book, or in the archive that it continues.
  public let kept: Int64
  /// The last event in the archive that the book continues; `.start` if there is none.
  public let archived: Position
  /// The positions of the others, in order.
  public let lost: [ClosedRange<Position>]
  /// Whether the tree continues unchanged: earlier checkpoints and proofs stay valid.
  public let isProven: Bool
  /// Whether the end of the log is known.
  ///
  /// Otherwise later events may be missing without a trace.
  public let hasEnd: Bool
  /// How many frames of the write-ahead log, from the first damaged one on, could not be read: they
  /// may hold events and renewed secrets.
  public let unreadFrames: Int64
  /// Whether the state that the book continued from is undamaged.
  ///
  /// Otherwise nothing of it is in the new book, including earlier counts. `true` for a book that
  /// holds all of its events.
  public let hasBeginning: Bool
  /// Ranges of events that are complete but do not match their stored root: one of them was
  /// rewritten, or the root is damaged.
  public let rewritten: [ClosedRange<Position>]
  /// How many accounts have a state in the new book.
  public let accounts: Int64
  /// Accounts whose last events may be missing from their state.
  public let stale: [AccountID]
  /// How many pages of the damaged file are missing or unreadable: data that was only there is
  /// lost, such as the list of copies or a waiting login.
  public let lostPages: Int64
  /// How many accounts are completely lost; it is not known which ones.
  public let unknownAccounts: Int64
  /// Accounts whose state is lost, including their user: a login of the same user creates a new
  /// one.
  public let withoutState: [AccountID]
  /// Accounts whose key is lost: their user and secrets can never be decrypted again.
  public let withoutKey: [AccountID]
  /// Accounts whose lookups are lost: a login of the same user creates a new one.
  public let withoutLookup: [AccountID]
  /// Accounts whose saved credentials are lost: the user has to save them again.
  public internal(set) var withoutCredentials: [AccountID]
  /// Accounts with a session whose secret is lost: they have to log in again.
  public internal(set) var withoutSecret: [AccountID]
  /// Other secrets that cannot be decrypted, such as an account's trust.
  public internal(set) var otherSecrets: [LostSecret] = []
  /// Whether all encrypted data was decrypted as a check, which needs the book's key.
  public internal(set) var hasOpenedSecrets = false

  /// Whether nothing is known to be lost.
  public var isWhole: Bool {
    lost.isEmpty && isProven && hasEnd && hasBeginning && rewritten.isEmpty && stale.isEmpty
      && unknownAccounts == 0 && withoutState.isEmpty && withoutKey.isEmpty
      && withoutLookup.isEmpty && withoutCredentials.isEmpty && withoutSecret.isEmpty
      && otherSecrets.isEmpty
  }

  /// Adds the accounts whose secrets are in the vault and cannot be decrypted.
  ///
  /// - Parameter book: The new book with its key; `nil` where the key is not at hand.
  mutating func look(into book: BookReader?) {
    // The vault may be older than the log: what cannot be decrypted is lost, and nothing else.
    guard let problems = try? book?.sealedProblems(hasWholeLog: false) else { return }
    hasOpenedSecrets = true
    for problem in problems where problem.fault == .secretChanged {
      guard let account = problem.account, let purpose = problem.purpose else { continue }
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

/// A secret of an account that is in the vault but cannot be decrypted.
public struct LostSecret: Hashable, Sendable {
  /// Its account.
  public let account: AccountID
  /// What it was for, such as `trust` or `offline`.
  public let purpose: String
}
