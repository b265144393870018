/// The rules across the books of a fleet, each with its threshold.
public enum FleetRule: String, Hashable, Sendable, CaseIterable {
  /// A book of which the fleet holds more than one history.
  case bookForked = "book.forked"
  /// A book that was heard regularly, and is not any more.
  case bookSilent = "book.silent"
  /// Events that the fleet refused.
  case batchRefused = "batch.refused"
  /// A head without a signed checkpoint.
  case headUnsigned = "head.unsigned"
  /// A checkpoint that is not that of its head, or that the book's key has not signed.
  case checkpointMismatch = "checkpoint.mismatch"
  /// Events whose encrypted facts stayed at home.
  case eventsWithheld = "events.withheld"
  /// Old events that the fleet forgot.
  case eventsForgotten = "events.forgotten"
  /// Events that do not agree with their hashes, found when they were about to be forgotten.
  case historyDamaged = "history.damaged"
  /// A version of a program that renews one account's session too often.
  case versionStorm = "version.storm"
  /// The password of one person guessed on three machines within an hour.
  case personGuessed = "person.guessed"
  /// Logins of one person from five machines within an hour.
  case personEverywhere = "person.everywhere"

  /// The threshold, in plain words.
  public var threshold: String {
    switch self {
    case .bookForked: "a book that was copied, and both copies were used"
    case .bookSilent:
      "a book that was heard on 3 days or more, and then not for the time of --silent-after"
    case .batchRefused: "events that the fleet refused"
    case .headUnsigned: "the newest events of a book without a signed checkpoint"
    case .checkpointMismatch:
      "a newest checkpoint that does not fit the head, or is not signed by the book's key"
    case .eventsWithheld: "events whose encrypted facts were not sent"
    case .eventsForgotten: "old events that `gatebook fleet forget` dropped"
    case .historyDamaged:
      "events that `gatebook fleet forget` kept, because they do not agree with their hashes"
    case .versionStorm:
      "60 successful renewals of one account within an hour, by one version of a program"
    case .personGuessed:
      "wrong passwords of one person at one server, typed on 3 machines within an hour; needs pseudonyms"
    case .personEverywhere:
      "logins of one person at one server from 5 machines within an hour, except for those with saved "
        + "credentials; needs pseudonyms"
    }
  }

  /// What to do about such a finding.
  public var remedy: String {
    switch self {
    case .bookForked:
      "Find out who copied the book, and use only one of the copies from now on."
    case .bookSilent:
      "Find out whether the machine is in use, and whether `gatebook ship` still runs there."
    case .batchRefused:
      "Check the book on its machine with `gatebook verify`, and the fleet with `gatebook fleet verify`."
    case .headUnsigned:
      "Ship these books with their keys: without a signature the fleet cannot prove whose events these are."
    case .eventsWithheld:
      "Nothing if it is intended. The fleet cannot recompute the hashes of these events."
    case .eventsForgotten:
      "Nothing if it is intended. The counters, the checkpoints and the state after these events are kept."
    case .historyDamaged, .checkpointMismatch:
      "Run `gatebook fleet verify`: it lists what was changed. The book itself is on its own machine."
    case .versionStorm:
      "Find out why this version renews so often, and replace it: servers may lock the accounts."
    case .personGuessed, .personEverywhere:
      "On one of these machines `gatebook accounts` shows who it is. Ask the person whether it was them. "
        + "If not, change the password and check the server's own log."
    }
  }
}

/// A rule that was not applied, and why.
public struct UncheckedRule: Hashable, Sendable {
  /// The rule's name.
  public let rule: String
  /// Why it was not applied, and what applies it.
  public let reason: String
}
