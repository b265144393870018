/// A failure's name: dotted lower-case text from the closed list of the event format.
public struct FailureCode: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
  /// The dotted text, such as `credentials.refused`.
  public let rawValue: String

  /// Makes a code from its text; a reader keeps a code that it does not know.
  public init(rawValue: String) {
    self.rawValue = rawValue
  }

  private init(_ text: String) {
    rawValue = text
  }

  /// The dotted text.
  public var description: String { rawValue }

  /// Whether the book could not be read or written.
  package var isOfStorage: Bool { rawValue.hasPrefix("storage.") }

  /// The server rejected the user name or the password.
  ///
  /// Terminal: ask the user again.
  public static let credentialsRefused = FailureCode("credentials.refused")
  /// The login left no proof: the check URL answers without credentials too.
  public static let loginUnprovable = FailureCode("login.unprovable")
  /// A secret would have been sent over a network without TLS.
  public static let loginCleartext = FailureCode("login.cleartext")
  /// Another login of this account is running.
  public static let loginInProgress = FailureCode("login.inProgress")
  /// The session is not usable: the account needs a login.
  public static let sessionRefused = FailureCode("session.refused")
  /// The server rejected a token.
  public static let tokenRefused = FailureCode("token.refused")
  /// The server rejected an authorization code.
  public static let codeRefused = FailureCode("code.refused")
  /// The server may have processed a request, but its answer is not known.
  public static let outcomeUnknown = FailureCode("outcome.unknown")
  /// The server answered for another user than the account's.
  public static let identityMismatch = FailureCode("identity.mismatch")
  /// The server granted less than was asked for.
  public static let scopeMissing = FailureCode("scope.missing")
  /// The URL does not belong to the account's origins; nothing was sent.
  public static let originForeign = FailureCode("origin.foreign")
  /// A challenge was blocked.
  public static let challengeBlocked = FailureCode("challenge.blocked")
  /// Nothing can answer this kind of challenge.
  public static let challengeUnhandled = FailureCode("challenge.unhandled")
  /// The user cancelled the challenge.
  public static let challengeCancelled = FailureCode("challenge.cancelled")
  /// The challenge was not answered in time.
  public static let challengeTimedOut = FailureCode("challenge.timedOut")
  /// The server is overloaded or failing (5xx, 429).
  ///
  /// Transient.
  public static let serverUnavailable = FailureCode("server.unavailable")
  /// The server refused a request for a reason other than the credentials.
  public static let serverRefused = FailureCode("server.refused")
  /// The server redirected where no redirect is followed.
  public static let serverMoved = FailureCode("server.moved")
  /// The answer does not follow the protocol, such as HTML instead of JSON.
  public static let contentUnexpected = FailureCode("content.unexpected")
  /// A setting is missing, contradicts another one or does not fit the server.
  public static let configurationInvalid = FailureCode("configuration.invalid")
  /// A redirect arrived with a state that no pending login has.
  public static let stateMismatch = FailureCode("state.mismatch")
  /// The server could not be reached.
  ///
  /// Transient; the session is kept.
  public static let networkUnreachable = FailureCode("network.unreachable")
  /// The server's certificate is not trusted.
  public static let tlsUntrusted = FailureCode("tls.untrusted")
  /// The server's key is not the one that was accepted.
  public static let tlsKeyChanged = FailureCode("tls.keyChanged")
  /// A limit of size, number or depth was passed.
  public static let limitExceeded = FailureCode("limit.exceeded")
  /// The disk is full.
  public static let storageFull = FailureCode("storage.full")
  /// There is no book at this path; a login creates one.
  public static let storageNone = FailureCode("storage.none")
  /// The book cannot be read.
  public static let storageUnreadable = FailureCode("storage.unreadable")
  /// The book cannot be written.
  public static let storageReadOnly = FailureCode("storage.readOnly")
  /// Other processes have locked the book for longer than the caller waits.
  public static let storageBusy = FailureCode("storage.busy")
  /// A newer version of Gatebook wrote the book.
  public static let storageNewer = FailureCode("storage.newer")
  /// The book is damaged or was tampered with.
  public static let storageDamaged = FailureCode("storage.damaged")
  /// An event id was used again with other content.
  public static let storageIDReused = FailureCode("storage.idReused")
  /// The book was inherited by `fork`.
  public static let storageForked = FailureCode("storage.forked")
  /// The key is missing.
  public static let keyMissing = FailureCode("key.missing")
  /// The key is not the book's.
  public static let keyWrong = FailureCode("key.wrong")
  /// The keyring is locked.
  public static let keyLocked = FailureCode("key.locked")
  /// The person did not allow a program to use the agent.
  public static let agentRefused = FailureCode("agent.refused")
  /// The account was changed since the caller read it.
  public static let preconditionFailed = FailureCode("precondition.failed")
  /// No server of the fleet answered, or the connection broke.
  ///
  /// Transient.
  public static let fleetUnreachable = FailureCode("fleet.unreachable")
  /// The fleet's server has no room.
  ///
  /// Transient.
  public static let fleetFull = FailureCode("fleet.full")
  /// The fleet refused the role, or the book belongs to another role.
  public static let fleetRefused = FailureCode("fleet.refused")
  /// The certificate of the fleet's server is not trusted, or the server offers no TLS.
  public static let fleetUntrusted = FailureCode("fleet.untrusted")
  /// The database is no fleet yet.
  public static let fleetMissing = FailureCode("fleet.missing")
  /// A newer version of Gatebook made the fleet.
  public static let fleetNewer = FailureCode("fleet.newer")
  /// The book was copied, and both copies were used: the fleet keeps two histories.
  public static let fleetForked = FailureCode("fleet.forked")
  /// The fleet has other events than the book, or did not accept them.
  public static let fleetMismatch = FailureCode("fleet.mismatch")
  /// The fleet has more events of the book than the book itself.
  public static let fleetAhead = FailureCode("fleet.ahead")
  /// The fleet lacks earlier events of the book: they are in an archive, or were not sent yet.
  public static let fleetGap = FailureCode("fleet.gap")
  /// Encrypted facts of the book were never sent to the fleet, so no copy of the book can be made.
  public static let fleetWithheld = FailureCode("fleet.withheld")
  /// The fleet has no pseudonyms of persons, or those of another key.
  public static let fleetPseudonyms = FailureCode("fleet.pseudonyms")
  /// The caller cancelled.
  public static let cancelled = FailureCode("cancelled")

  /// What went wrong, as the second half of a sentence: `why` says it, and errors that know no
  /// more.
  ///
  /// A newer version's code is returned unchanged.
  package var meaning: String { Self.meanings[self] ?? rawValue }

  /// What went wrong, as a sentence of its own.
  package var sentence: String { meaning.asSentence }

  /// What a refusal on the server's page means, as the second half of a sentence.
  ///
  /// RFC 6749 section 4.1.2.1: "The resource owner or authorization server denied the request."
  package static let deniedOnPage = "the user, or the server, declined the login on its page"

  /// What a login as somebody else means, as the second half of a sentence.
  package static let anotherUser = "the server logged in another user than the account's"

  private static let meanings: [FailureCode: String] = [
    .credentialsRefused: "the server rejected the user name or the password",
    .agentRefused: "nobody allowed the program to use the agent",
    .loginUnprovable: "nothing proved the login",
    .loginCleartext: "a secret would have been sent without TLS",
    .loginInProgress: "another login of this account was running",
    .sessionRefused: "the server no longer accepts the session",
    .tokenRefused: "the server no longer accepts the refresh token",
    .codeRefused: "the server did not accept the code",
    .outcomeUnknown: "its answer was lost",
    .identityMismatch: "the server answered for another user",
    .scopeMissing: "the server granted less than was asked for",
    .originForeign: "the address does not belong to the account's servers",
    .challengeBlocked: "the server blocked the challenge",
    .challengeUnhandled: "nothing could answer the challenge",
    .challengeCancelled: "the user cancelled it",
    .challengeTimedOut: "nobody answered in time",
    .serverUnavailable: "the server was overloaded or failing",
    .serverRefused: "the server refused it for a reason that does not concern the session",
    .serverMoved: "the server redirected a request that must be answered where it was sent",
    .contentUnexpected:
      "the answer did not follow the protocol: it may be incomplete, or a web page such as a hotel's login page",
    .configurationInvalid: "the client's settings do not fit the server",
    .stateMismatch: "the answer belonged to no waiting login",
    .networkUnreachable: "the server could not be reached, or the connection broke",
    .tlsUntrusted: "the server's certificate is not trusted, so nothing was sent to it",
    .tlsKeyChanged: "the server's key is not the one it had before, so nothing was sent to it",
    .limitExceeded: "a limit was reached",
    .storageFull: "the disk was full",
    .storageBusy: "the book was busy for too long",
    .fleetUnreachable: "the fleet could not be reached, or the connection broke",
    .fleetFull: "the fleet's server has no room",
    .fleetRefused: "the fleet refused the role",
    .fleetUntrusted: "the certificate of the fleet's server is not trusted",
    .fleetMissing: "the database is no fleet",
    .fleetNewer: "a newer version made the fleet",
    .fleetForked: "the book was copied, and both copies were used",
    .fleetMismatch: "the fleet did not accept the events",
    .fleetAhead: "the fleet has more events of the book than the book itself",
    .fleetGap: "the fleet lacks earlier events of the book",
    .fleetWithheld: "encrypted facts of the book are not in the fleet",
    .fleetPseudonyms: "the fleet has no pseudonyms, or those of another key",
    .cancelled: "it was cancelled",
    .preconditionFailed: "the account was erased or changed meanwhile",
  ]
}
