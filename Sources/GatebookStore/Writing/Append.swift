package import GatebookEvents

/// What one caller wants recorded: all of it in one transaction, or nothing.
package struct Append: Sendable {
  /// An account that comes into being with this append.
  package struct NewAccount: Sendable {
    package var id: AccountID
    /// The keyed hashes of its person.
    package var lookups: [[UInt8]]
    /// Its data key as `BookReader.newKey` made it; `nil` makes one.
    package var key: [UInt8]?

    package init(id: AccountID, lookups: [[UInt8]], key: [UInt8]? = nil) {
      self.id = id
      self.lookups = lookups
      self.key = key
    }
  }

  /// A change of the vault; it is on disk exactly when the events are.
  package enum VaultChange: Sendable {
    case set(AccountID, purpose: String, generation: Int64, content: [UInt8])
    case remove(AccountID, purpose: String)
    /// Keeps what a login without an account needs to continue after a restart.
    case keepAttempt(SessionID, deadline: Timestamp, content: [UInt8])
    /// Destroys an attempt's key with all that it encrypted; the append fails if it is gone
    /// already.
    case endAttempt(SessionID)
    /// Records another place of the master key; the append fails when the recorded one is not
    /// `from`.
    case moveKey(from: KeyDescription, to: KeyDescription)
    /// Destroys an account's key, its lookups and its secrets in the vault; the append fails if it
    /// is gone already.
    case erase(AccountID)
    /// Records the place of a copy of the book before its first byte is written.
    case beginCopy(CopyID, kind: BookCopy.Kind, place: String)
    /// Records that a copy is whole, and how many events it holds.
    case endCopy(CopyID, events: Int64)
    /// Forgets a copy that is nowhere.
    case dropCopy(CopyID)
    /// Records that a document is about to be asked for because what is known of it does not do;
    /// the append fails when that was done less than `spacing` before.
    case demandDocument(DocumentName, at: Timestamp, spacing: Duration)
    /// Takes that back, where nobody was asked.
    case withdrawDemand(DocumentName, madeAt: Timestamp)
    /// Records that the demand came to nothing, unless another one was made since.
    case failDemand(DocumentName, madeAt: Timestamp)
    /// Keeps the newest answer with a document; the append fails if the stored answer is no longer
    /// the one that it replaces.
    case keepDocument(DocumentName, fresh: Timestamp, content: [UInt8], after: [UInt8]?)
    /// Has each document be asked for before it is used again.
    case outdateDocuments
  }

  package var events: [ProposedEvent]
  package var precondition: Precondition
  package var newAccounts: [NewAccount] = []
  /// Further hashes that find an account, such as of a new login name.
  package var lookups: [(account: AccountID, hash: [UInt8])] = []
  package var vault: [VaultChange] = []
  /// Whether it is given up when its caller is cancelled before it is on the disk, also while
  /// others hold the book: what a person wants, never what has happened already.
  package var mayBeGivenUp: Bool

  /// How many rows it asks for, those of projections not counted.
  var parts: Int { events.count + newAccounts.count + lookups.count + vault.count }

  package init(
    _ events: [ProposedEvent], precondition: Precondition = .none, vault: [VaultChange] = [],
    mayBeGivenUp: Bool = false
  ) {
    self.events = events
    self.precondition = precondition
    self.vault = vault
    self.mayBeGivenUp = mayBeGivenUp
  }
}

/// The lasting positions of an append's events.
package struct Receipt: Hashable, Sendable {
  /// The first event's position; the others follow without a gap.
  package let first: Position
  /// How many there are.
  package let count: Int
  /// Whether they were in the book before this call.
  package let isRepetition: Bool

  /// The position of the event with this index in the append.
  package subscript(index: Int) -> Position {
    Position(rawValue: first.rawValue + Int64(index))
  }

  /// The last event's position; that before `first` where there are none.
  package var last: Position { self[count - 1] }
}
