/// Why an account is in its state, or why an event happened: what led to it, oldest first.
///
/// Everything in it comes from the log, and no key is needed for it. It holds no secrets, and of personal
/// facts only what a server demands of a stronger login, where the book's key is at hand.
public struct Explanation: Hashable, Sendable {
  /// One thing that happened on the way.
  public struct Step: Hashable, Sendable {
    /// Its event, the last one where it stands for several of a kind.
    ///
    /// `nil` for what time alone has done and nobody has recorded yet.
    public let position: Position?
    /// When it was, by the clock of whoever wrote it.
    public let at: Timestamp
    /// The event's kind, such as `refresh.started`.
    public let kind: String
    /// How many events of this kind it stands for.
    public let count: Int64
    /// What happened, in plain words.
    public internal(set) var sentence: Sentence
  }

  /// All the events that it is made of, in the order of the book.
  package let events: [RecordedEvent]
  /// What it explains: whose state; `nil` for an event of the book's own stream.
  public let account: AccountID?
  /// The event that the question ends at.
  public let position: Position
  /// The answer in one sentence.
  public let answer: Sentence
  /// What led to it, oldest first; the last one is what was asked about.
  public let steps: [Step]
  /// An event that led to the first step and is not in the log: it is in the archive that the book goes
  /// on from, or was lost; `nil` where there is none.
  public let unknown: Position?
  /// How the account is now, where what was asked about is not the last thing that happened to it.
  public let present: Sentence?
  /// What to do now.
  public let advice: Advice
  /// What could not be checked without the book's key; `nil` where everything was.
  public internal(set) var unchecked: Sentence?
  /// Whether the disk of the book is full, so that nothing can be recorded.
  package var isDiskFull = false
  /// The scopes that the session was allowed at its login and no longer has.
  package var lostScopes: [String] = []
}

/// What to do about the state of an account.
public enum Advice: String, Hashable, Sendable, CaseIterable {
  /// Nothing: it can be used.
  case nothing
  /// Use it: the next use asks the server.
  case use
  /// See to it that the server can be reached, then use it: without the server's word the session ends.
  case useOnline
  /// Wait, or ask for one more try: the server was in trouble.
  case tryAgain
  /// Log in, or insist on one more use of what may be used up: it was sent twice without an answer.
  case insist
  /// Wait until the server may be asked again: it demanded so, or has blocked what was asked.
  case wait
  /// Wait for the process that renews the session; wake or end it if it stands still.
  case awaitProcess
  /// Log in.
  case logIn
  /// Log in, and say whom to trust: an earlier decision was taken back.
  case logInTrusting
  /// Wait until the server may be asked again, then log in.
  case logInLater
  /// Wait until the server may be asked again, then let what was saved log in.
  case logInWithSavedLater
  /// Go on with the login that waits for its end, or begin another one.
  case resume
  /// Log in as the server demands.
  case stepUp
  /// Ask who runs the server what it wants, then log in so: it demands another login and does not say
  /// which.
  case askDemand
  /// Log in by OpenID Connect: nothing else can show a login as strong as the server demands.
  case logInByOpenID
  /// Renew it: it is logged in again with what was saved.
  case logInWithSaved
  /// Answer the challenge that is open.
  case answerChallenge
  /// Look at the server's settings or at your own: no answer of it can be used as they are.
  case checkSettings
  /// Set this machine's clock or the server's, then log in: what the server signs is not valid now.
  case checkClock
  /// Log in with a certificate for the client: the server asks for one, or for another one.
  case giveCertificate
  /// Ask who runs the server: what it answers can be used by nobody, or is not to be trusted.
  case askServer
  /// Find out who that server is before anything is sent to it again.
  case checkServer
  /// Find out who answered as whom, then log in.
  case checkIdentity
  /// Let the server be told when the network is back.
  case deliver
  /// Wait for the process that tells the server; wake or end it if it stands still.
  case awaitDelivery
  /// Erase it: an erasure was begun, and has no end.
  case completeErasure
  /// Log in to have an account again: this one was erased.
  case startOver
  /// Free space on the disk of the book: it is full, and nothing can be recorded.
  case freeSpace
  /// Bring back a copy of the book, or recover it: the account's key is missing from it.
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
    case .tryAgain: "Try again later, or ask for one more try now."
    case .insist: "Log in again, or insist on one more try: it may end the session."
    case .wait: "Wait until the server may be asked again, then use the account."
    case .awaitProcess:
      "Wait for the process that renews the session. If it is stopped, resume it: if it is ended, an answer that "
        + "it received may be lost."
    case .logIn: "Log in again."
    case .logInTrusting: "Log in again, and say which certificate or key of the server to trust."
    case .logInWithSavedLater:
      "Wait until the server may be asked again, then ask for a renewal: the saved credentials log in."
    case .logInLater: "Wait until the server may be asked again, then log in."
    case .resume: "Continue the login that waits, or begin another one."
    case .stepUp: "Log in as the server demands."
    case .logInByOpenID:
      "Log in by OpenID Connect: nothing else shows a login as strong as the server demands."
    case .askDemand: "Ask who runs the server which login it wants, then log in that way."
    case .giveCertificate: "Log in with a client certificate that the server accepts."
    case .logInWithSaved:
      "Ask for a renewal: it logs the account in again with the saved credentials."
    case .answerChallenge: "Answer what the server asks for."
    case .checkSettings: "Check the server's addresses and the client's settings, then try again."
    case .checkClock: "Check this machine's clock and the server's, then log in."
    case .askServer: "Ask who runs the server, then try again."
    case .checkServer: "Find out which server answers there before you trust it."
    case .checkIdentity:
      "Find out for which user, or for which issuer, the server answered, then log in again."
    case .deliver:
      "Synchronize the book when the network is back: servers still have to be told what has ended."
    case .awaitDelivery:
      "Wait for the process that is telling the server. If it is stopped, resume it or end it."
    case .completeErasure: "Erase the account again: an erasure was begun and has no recorded end."
    case .startOver: "Log in: that adds the account again."
    case .freeSpace: "Free space on the disk of the book: it is full, and nothing can be recorded."
    case .restoreBook:
      "Use a copy of the book that still has the account's key, or recover the book and log in again."
    }
  }
}
