/// What an event says happened: dotted, lower case, past tense, and frozen.
///
/// The facts of each kind are listed in "Event format". A kind that this version does not know is
/// still ordered, counted and verified; only its text is known then.
public enum EventKind: String, CaseIterable, Sendable {
  case bookCreated = "book.created"
  case bookMigrated = "book.migrated"
  case bookOpened = "book.opened"
  case accountAdded = "account.added"
  case accountRenamed = "account.renamed"
  case accountSwitched = "account.switched"
  case loginStarted = "login.started"
  case loginSucceeded = "login.succeeded"
  case loginFailed = "login.failed"
  case loginCancelled = "login.cancelled"
  case challengeReceived = "challenge.received"
  case challengeAnswered = "challenge.answered"
  case challengeCancelled = "challenge.cancelled"
  case challengeFailed = "challenge.failed"
  case refreshStarted = "refresh.started"
  case refreshSucceeded = "refresh.succeeded"
  case refreshFailed = "refresh.failed"
  case refreshDeferred = "refresh.deferred"
  case refreshDiscarded = "refresh.discarded"
  case refreshAdopted = "refresh.adopted"
  case sessionRestored = "session.restored"
  case sessionVerified = "session.verified"
  case sessionExpired = "session.expired"
  case sessionUncertain = "session.uncertain"
  case sessionEnded = "session.ended"
  case logoutRequested = "logout.requested"
  case logoutCompleted = "logout.completed"
  case credentialsSaved = "credentials.saved"
  case credentialsLoaded = "credentials.loaded"
  case credentialsRemoved = "credentials.removed"
  case attributesChanged = "attributes.changed"
  case cookiesChanged = "cookies.changed"
  case originAllowed = "origin.allowed"
  case trustDecided = "trust.decided"
  case clockObserved = "clock.observed"

  /// The version in which this Gatebook writes the kind.
  package var version: Int { 1 }
}
