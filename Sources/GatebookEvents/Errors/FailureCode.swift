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
}

extension FailureCode {
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
  /// The account was changed since the caller read it.
  public static let preconditionFailed = FailureCode("precondition.failed")
  /// The caller cancelled.
  public static let cancelled = FailureCode("cancelled")
}
