public import GatebookEvents

/// What a verification found.
public struct Verdict: Hashable, Sendable {
  /// How much was shown.
  public enum Level: String, Sendable {
    /// The book agrees with itself.
    case itself = "self"
    /// The book also agrees with a checkpoint that was kept elsewhere: only that can show removed
    /// events, and events that were rewritten together with their hashes.
    ///
    /// Not if a recovery left no event that the checkpoint covers.
    case checkpoint
  }

  /// Why nothing was decrypted with a key.
  public struct KeyFailure: Hashable, Sendable {
    /// What kind of failure it is, such as `key.missing`; `storage.damaged` for a log that is too
    /// damaged.
    public let code: FailureCode
    /// What happened, in a sentence.
    public let message: String
  }

  /// Whether nothing is wrong.
  public var ok: Bool { problems.isEmpty }
  /// The position of the last event, by the book's head: those up to an archive's end, and lost
  /// ones, are not in the book.
  public let size: Int64
  /// How many events the book has itself, by its head and by what it says of its past.
  public var present: Int64 {
    // A damaged head may say anything.
    let size = max(0, min(size, BookRecovery.maximum))
    return size - (continuation?.archived.rawValue ?? 0) - (continuation?.lostCount ?? 0)
  }
  /// The root of the events as they were found, 64 hexadecimal digits.
  public let root: String
  /// How much was shown when nothing is wrong.
  public let level: Level
  /// How many events the checkpoint covers; later events agree only with the book itself.
  ///
  /// `nil` if no checkpoint was given.
  public let covered: Int64?
  /// Whether the checkpoint covers all events that were there when it was made; `true` without one.
  ///
  /// Events next to ones that a recovery lost are not covered.
  public let isWhollyCovered: Bool
  /// Whether the given checkpoint covers none of the remaining events, and nothing else is wrong.
  ///
  /// Then nothing was compared with it, and the verdict is not ``ok``.
  public let isUncovered: Bool
  /// The first event that is wrong or missing; earlier events agree with their own hashes.
  public let firstBad: Position?
  /// Whether the events, as they were found, match the stored roots.
  ///
  /// These are the root in the book's head, and the one in the checkpoint if one was given. If they
  /// do not match but each single event is right, somebody may have computed hashes again: it is
  /// then unknown which events were changed.
  public let agreesWithRoot: Bool
  /// The events of the given account; `nil` if none was given.
  public let stream: VerifiedStream?
  /// Where the book begins, if its earlier events are archived or lost; otherwise `nil`.
  public let continuation: Continuation?
  /// The archive that was given; `nil` when none was.
  public let archive: VerifiedArchive?
  /// Whether the book agrees with itself, but the given archive does not agree with it or with
  /// itself.
  public let isArchiveAtFault: Bool
  /// Whether the log agrees with itself, and with the checkpoint if one was given.
  ///
  /// If it does but not everything is `ok`, then indexes of kinds and times, encrypted data or the
  /// given archive are wrong, or the checkpoint covers nothing. A rebuild computes the indexes
  /// again.
  public let isLogWhole: Bool
  /// What was decrypted with the key; `nil` without it: then data that no hash covers was not
  /// checked.
  public let secrets: VerifiedSecrets?
  /// Why nothing was decrypted with the given key; `nil` if it was, or if none was given.
  ///
  /// The key does not open the book, or the log is so damaged that nothing can be compared with it.
  public let keyFailure: KeyFailure?
  /// Whether the log and its indexes agree with themselves, but encrypted data was changed.
  public let isVaultAtFault: Bool
  /// Whether each event is there and is what was recorded, by its own hash and by the roots that
  /// were kept.
  package var agreesWithHashes: Bool { firstBad == nil && agreesWithRoot }
  /// What is wrong, one sentence each; at most 20.
  public let problems: [String]
}

/// Whether the stored states agree with the log.
public struct RebuildVerdict: Hashable, Sendable {
  /// Whether each stored state is the same as the computed one, byte for byte.
  public var ok: Bool { problems.isEmpty }
  /// The last event that was used.
  public let position: Position
  /// What differs, one sentence each; at most 20.
  public let problems: [String]
}

/// An archive that was verified together with the book that continues it.
public struct VerifiedArchive: Hashable, Sendable {
  /// The number of events up to its end, including older archives.
  public let size: Int64
  /// The root over them, 64 hexadecimal digits.
  public let root: String
  /// Whether the state that the book continues from was computed again from the archive's events,
  /// and is the same.
  ///
  /// A newer version of Gatebook may compute states differently than the one that made the archive:
  /// then the accounts, sessions and current account must be those in the archive, and this is
  /// `false`. `nil` if nothing can be compared: for a recovered book, or a damaged archive.
  public let hasSameState: Bool?
  /// Where the archive itself begins, if its earlier events are in an older archive or lost;
  /// otherwise `nil`.
  public let continuation: Continuation?
}

/// What was decrypted with the book's key as a check, because no hash of the log covers it.
public struct VerifiedSecrets: Hashable, Sendable {
  /// How many keys of accounts could be decrypted.
  public internal(set) var keys: Int64 = 0
  /// How many secrets in the vault could be decrypted, without the lists of lookups.
  public internal(set) var secrets: Int64 = 0
  /// How many copies of servers' documents could be decrypted.
  public internal(set) var documents: Int64 = 0
  /// How many waiting logins and paths of copies of the book could be decrypted.
  public internal(set) var others: Int64 = 0
  /// How many accounts have a list of their lookups, whether the book agrees with it or not.
  public internal(set) var lists: Int64 = 0
  /// How many of these lists came from an older version of the book and not from logins.
  public internal(set) var takenLists: Int64 = 0
  /// How many accounts have no list yet, or one from before their last login.
  ///
  /// Their lookups were not compared; the next login makes the list.
  public internal(set) var unlisted: Int64 = 0
  /// Whether the sessions' secrets were compared with the log, by their generations and for missing
  /// ones: not in a book whose log is damaged, or that was recovered.
  public internal(set) var hasComparedGenerations = false
}

/// One account's events in a verified log.
public struct VerifiedStream: Hashable, Sendable {
  /// The account.
  public let account: AccountID
  /// How many events of the account were found.
  ///
  /// Unless a problem says otherwise, their revisions follow the order of the positions without a
  /// gap. In a book with its whole history they run from 1 to this number.
  public let events: Int64
}
