public import GatebookEvents

/// What a verification found.
public struct Verdict: Hashable, Sendable {
  /// How much was shown.
  public enum Level: String, Sendable {
    /// The book agrees with itself.
    case itself = "self"
    /// The book also agrees with a checkpoint that was kept elsewhere: only that shows truncation,
    /// and rewriting by somebody who can recompute hashes.
    ///
    /// Not where a recovery has left no event that the checkpoint covers.
    case checkpoint
  }

  /// Why nothing was opened with a key.
  public struct KeyFailure: Hashable, Sendable {
    /// What kind of failure it is, such as `key.missing`; `storage.damaged` for a log that is too damaged.
    public let code: FailureCode
    /// What happened, in a sentence.
    public let message: String
  }

  /// Whether nothing is wrong.
  public var ok: Bool { problems.isEmpty }
  /// The position of the last event, by the book's head: those up to an archive's end, and lost ones, are
  /// not in the book.
  public let size: Int64
  /// How many events the book has itself, by its head and by what it says of its past.
  public var present: Int64 {
    // A damaged head may say anything.
    let size = max(0, min(size, BookRecovery.maximum))
    return size - (continuation?.archived.rawValue ?? 0) - (continuation?.lostCount ?? 0)
  }
  /// The root over the events as they were found, 64 hexadecimal digits.
  public let root: String
  /// How much was shown when nothing is wrong.
  public let level: Level
  /// How many events the checkpoint was made of that the book was compared with: those behind them agree with
  /// the book alone; `nil` where none was compared.
  public let covered: Int64?
  /// Whether the checkpoint covers all events that were there when it was made; `true` without one.
  ///
  /// Where a recovery has lost some, those beside them are not covered.
  public let isWhollyCovered: Bool
  /// Whether a checkpoint was given that covers none of the events that are left, and nothing else is wrong.
  ///
  /// Then nothing was compared with it, and the verdict is not ``ok``.
  public let isUncovered: Bool
  /// The first event that is wrong or missing; what stands before it agrees with its own hashes.
  public let firstBad: Position?
  /// Whether the events, as they were found, make the roots that were kept.
  ///
  /// They are the one in the book's head, and the one in the checkpoint where one was given. Where they do
  /// not fit and no event is wrong by itself, somebody may have computed hashes anew: which events were
  /// changed cannot be told.
  public let agreesWithRoot: Bool
  /// The share of the account that was asked for; `nil` when none was.
  public let stream: VerifiedStream?
  /// Where the book goes on whose past is in an archive, or was lost; `nil` for one that has all of it.
  public let continuation: Continuation?
  /// The archive that was given; `nil` when none was.
  public let archive: VerifiedArchive?
  /// Whether the book agrees with itself, and the archive that was given neither with it nor itself.
  public let isArchiveAtFault: Bool
  /// Whether the log agrees with itself, and with the checkpoint where one was given.
  ///
  /// Where it does and not all is `ok`, summaries are wrong by which events of a kind or a time are found, or
  /// what is sealed, or the archive that was given, or the checkpoint covers nothing of it. A rebuild makes
  /// summaries anew.
  public let isLogWhole: Bool
  /// What was opened with the key; `nil` without it: then nothing is said of what no hash covers.
  public let secrets: VerifiedSecrets?
  /// Why nothing was opened with the key that was given; `nil` where it was, or none was given.
  ///
  /// The key does not open the book, or the log is so damaged that nothing can be compared with it.
  public let keyFailure: KeyFailure?
  /// Whether the log and its summaries agree with themselves, and what is sealed was changed.
  public let isVaultAtFault: Bool
  /// Whether each event is there and is what was recorded, by its own hash and by the roots that were kept.
  package var agreesWithHashes: Bool { firstBad == nil && agreesWithRoot }
  /// What is wrong, one sentence each; at most 20.
  public let problems: [String]
}
