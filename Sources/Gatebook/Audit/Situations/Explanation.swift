/// Why an account is in its state, or why an event happened: what led to it, oldest first.
///
/// Everything in it comes from the log, without the key. It contains no secrets. Its only personal
/// data is what a server demands of a stronger login, if the book was opened with its key.
public struct Explanation: Hashable, Sendable {
  /// One thing that happened.
  public struct Step: Hashable, Sendable {
    /// Its event; the last one if it summarizes several of a kind.
    ///
    /// `nil` for an expiry that is not recorded yet.
    public let position: Position?
    /// Its time, by the clock of the machine that wrote it.
    public let at: Timestamp
    /// The event's kind, such as `refresh.started`.
    public let kind: String
    /// How many events of this kind it summarizes.
    public internal(set) var count: Int64
    /// What happened, in plain words.
    public internal(set) var sentence: Sentence
  }

  /// All the events that it is made of, in the order of the book.
  package let events: [RecordedEvent]
  /// The account that it explains; `nil` for an event of the book itself.
  public let account: AccountID?
  /// The event that was asked about.
  public let position: Position
  /// The answer in one sentence.
  public internal(set) var answer: Sentence
  /// What led to it, oldest first; the last one is the event that was asked about.
  public let steps: [Step]
  /// The cause of the first step, if it is not in the log because it is archived or lost; otherwise
  /// `nil`.
  public let unknown: Position?
  /// The account's present state, if the event that was asked about is not its latest one.
  public internal(set) var present: Sentence?
  /// What to do now.
  public internal(set) var advice: Advice
  /// What could not be checked without the book's key; `nil` if everything was checked.
  public internal(set) var unchecked: Sentence?
  /// Whether the disk of the book is full, so that nothing can be recorded.
  package var isDiskFull = false
  /// The scopes that the session was allowed at its login and no longer has.
  package var lostScopes: [String] = []
  /// The rules that made the answer and the advice, for tests.
  package var rules: [String] = []
}

/// What to do about the state of an account.
public enum Advice: String, Hashable, Sendable, CaseIterable {
  /// Nothing: the account can be used.
  case nothing
  /// Use the account: the next use asks the server.
  case use
  /// Make sure that the server can be reached, then use the account: the session ends unless the
  /// server confirms it.
  case useOnline
  /// Wait, or try once more: the server was overloaded or failing.
  case tryAgain
  /// Log in, or send the refresh token once more: it was sent twice without an answer and may be
  /// used up.
  case insist
  /// Wait: the server asked for that, or has blocked the request.
  case wait
  /// Wait for the process that renews the session; resume or end it if it is stopped.
  case awaitProcess
  /// Log in.
  case logIn
  /// Log in, and say what to trust: an earlier decision was revoked.
  case logInTrusting
  /// Wait, as the server asked, then log in.
  case logInLater
  /// Wait, as the server asked, then log in with the saved credentials.
  case logInWithSavedLater
  /// Continue the waiting login, or begin a new one.
  case resume
  /// Log in as the server demands.
  case stepUp
  /// Ask the server's administrator which login it demands, then log in that way: the server did
  /// not say.
  case askDemand
  /// Log in with OpenID Connect: no other method can prove a login as strong as the server demands.
  case logInByOpenID
  /// Log in again with the saved credentials.
  case logInWithSaved
  /// Answer the open challenge.
  case answerChallenge
  /// Check the server's settings or your own: its answers cannot be used.
  case checkSettings
  /// Correct this machine's clock or the server's, then log in: the server's signatures are not
  /// valid now.
  case checkClock
  /// Log in with a client certificate: the server asks for one, or for another one.
  case giveCertificate
  /// Ask the server's administrator: its answers are not usable or not trustworthy.
  case askServer
  /// Find out which server answers before anything is sent to it again.
  case checkServer
  /// Find out for which user, or as which issuer, the server answered, then log in.
  case checkIdentity
  /// Tell the server when the network is back.
  case deliver
  /// Wait for the process that tells the server; resume or end it if it is stopped.
  case awaitDelivery
  /// Erase the account again: an erase was begun and has no recorded end.
  case completeErasure
  /// Log in to create a new account: this one was erased.
  case startOver
  /// Free space on the disk of the book: it is full, and nothing can be recorded.
  case freeSpace
  /// Restore a copy of the book, or recover it: the account's key is missing.
  case restoreBook

  /// What it comes to where the server wants to be left alone: reading the book asks no server.
  var silenced: Advice {
    switch self {
    case .tryAgain, .use, .useOnline, .deliver: .wait
    case .logInWithSaved: .logInWithSavedLater
    case .logIn, .logInTrusting, .insist, .stepUp, .logInByOpenID: .logInLater
    default: self
    }
  }

  /// The same in words, for an app's own screens.
  public var text: String {
    switch self {
    case .nothing: "Nothing needs to be done."
    case .use:
      "Use the account: the next request asks the server, and renews the session if needed."
    case .useOnline:
      "Make sure that the server can be reached, then use the account. The session ends unless the server "
        + "confirms it."
    case .tryAgain: "Try again later, or try once more now with `SessionBook.renewNow(_:)`."
    case .insist:
      "Log in again, or try once more with `SessionBook.renewNow(_:evenIfUsedUp:)`, which may end the "
        + "session."
    case .wait: "Wait until that time, then use the account."
    case .awaitProcess:
      "Wait for the process that renews the session. If it is stopped, resume it: ending it may lose an "
        + "answer that it received."
    case .logIn: "Log in again."
    case .logInTrusting:
      "Log in again, and name the certificate authority or the key of the server to trust."
    case .logInWithSavedLater:
      "Wait until that time, then log in with the saved credentials: `SessionBook.logInAgain`."
    case .logInLater: "Wait until that time, then log in."
    case .resume: "Continue the waiting login, or begin a new one."
    case .stepUp: "Log in as the server demands."
    case .logInByOpenID:
      "Log in with OpenID Connect: no other method can prove a login as strong as the server demands."
    case .askDemand:
      "Ask the server's administrator which login or which permissions it demands, then log in that way."
    case .giveCertificate: "Log in with a client certificate that the server accepts."
    case .logInWithSaved:
      "Log in again with the saved credentials: `SessionBook.logInAgain`."
    case .answerChallenge: "Answer what the server asks for."
    case .checkSettings: "Check the server's URLs and the client's settings, then try again."
    case .checkClock: "Check this machine's clock and the server's, then log in."
    case .askServer: "Ask the server's administrator, then try again."
    case .checkServer: "Find out which server answers at that address before you trust it."
    case .checkIdentity:
      "Find out for which user, or as which issuer, the server answered, then log in again."
    case .deliver:
      "Call `SessionBook.sync` when the network is back: servers still have to be told which sessions "
        + "have ended."
    case .awaitDelivery:
      "Wait for the process that is telling the server. If it is stopped, resume it or end it."
    case .completeErasure:
      "Erase the account again: an erase was started, and its outcome is not recorded."
    case .startOver: "Log in: that adds the account again."
    case .freeSpace: "Free space on the disk of the book: it is full, so nothing can be recorded."
    case .restoreBook:
      "Use a copy of the book that still has the account's key, or recover the book and log in again."
    }
  }
}
