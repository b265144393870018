extension RecordedEvent {
  /// What happened, in plain words; a kind that only a newer version knows stands by its name.
  var sentence: Sentence {
    guard let known = EventKind(rawValue: kind) else {
      return "“\(kind)” was recorded by a newer version."
    }
    return aboutBook(known) ?? aboutLogin(known) ?? aboutRenewal(known) ?? aboutSession(known)
      ?? aboutServers(known) ?? "“\(kind)” was recorded."
  }

  /// Who wrote it: `mail 2.1, process 4121`.
  var author: String {
    "\(writer.program.name) \(writer.program.version), process \(writer.process)"
  }

  /// The rule that was broken and what the server said: ` (400 invalid_grant)`; empty for neither.
  var said: String {
    let status = data["status"]?.integer.map(String.init)
    let rule = fault?.meaning() == nil ? nil : fault?.idTokenRule
    let words = [rule, status, data["error"]?.text].compactMap { $0 }
    return words.isEmpty ? "" : " (\(words.joined(separator: " ")))"
  }

  /// What went wrong, and what the server said.
  var failure: String {
    if data["reason"]?.text == EndReason.refusedAfterUnknownOutcome.rawValue,
      data["code"]?.text == FailureCode.credentialsRefused.rawValue
    {
      return "the server refused what was saved, which a use whose answer was lost may have used up"
        + said
    }
    if let meaning = fault?.meaning() { return meaning + said }
    switch data["code"]?.text.map(FailureCode.init(rawValue:)) {
    case .challengeCancelled?
    where ["access_denied", "authorization_declined"].contains(text("error")):
      return FailureCode.deniedOnPage + said
    case .contentUnexpected? where isKind(.loginFailed) && fault?.isOfSettings == true:
      return "the answer was not one of this protocol: the address may be another one's" + said
    case .loginUnprovable? where isKind(.sessionUnverified):
      return "its answer proves nothing" + said
    case .configurationInvalid? where [404, 405, 410].contains(data["status"]?.integer):
      return "the server has nothing of the kind at that address" + said
    case .identityMismatch? where isKind(.loginFailed):
      return FailureCode.anotherUser + said
    case .sessionRefused? where isKind(.loginFailed) && data["halted"]?.bool == true:
      return "the server refused what was saved, which may have been changed there" + said
    case .credentialsRefused? where isRefusedOtherwise:
      return "the server refused the login" + said
    case .serverRefused? where isKind(.loginFailed): return "the server refused the login" + said
    default: break
    }
    if let code = data["code"]?.text { return FailureCode(rawValue: code).meaning + said }
    return data["status"]?.integer.map { "the server answered \($0)" } ?? "no reason was recorded"
  }

  /// Whether a login was refused for another reason than its name or password: RFC 6749 section 5.2 has
  /// `invalid_grant` for those.
  var isRefusedOtherwise: Bool {
    data["error"] != nil && !Self.passwordErrors.contains(text("error"))
  }

  private static let passwordErrors = ["invalid_grant", "invalid_credentials"]

  /// What of the answer was refused.
  var fault: Fault? { data["fault"]?.text.map(Fault.init) }

  var lifetime: String {
    data["lifetime"]?.integer.map { " What it has lives \(Duration.microseconds($0).words)." } ?? ""
  }

  var missing: String {
    guard let names = data["missing"]?.text else { return "" }
    return " Not granted: \(names.split(separator: " ").joined(separator: ", "))."
  }

  // MARK: The book and its accounts

  private func aboutBook(_ kind: EventKind) -> Sentence? {
    switch kind {
    case .bookCreated: "The book was made by \(author)."
    case .bookMigrated: "The book's tables were brought up to date by \(author)."
    case .bookOpened:
      "The book was opened by another installation or with another key, by \(author)."
    case .bookBackedUp: "A copy of the book, up to its position \(held), was made by \(author)."
    case .bookContinued:
      "All before was put into an archive by \(author); the book goes on from the state then."
    case .bookRecovered:
      "The book was recovered from a damaged one by \(author); it goes on from what was readable."
    case .keyChanged:
      "The master key was moved from \(text("from")) to \(text("to")) by \(author)."
    case .accountAdded: "The account was added to the book: \(text("method")) at \(text("server"))."
    case .accountRenamed: "\(author) gave the account another name."
    case .accountSwitched: switching
    case .accountErased: erasure
    case .credentialsSaved:
      text("purpose") == "login"
        ? "What logs the account in by itself was saved."
        : "Credentials for \(text("purpose")) were saved."
    case .credentialsLoaded: used
    case .credentialsRemoved:
      text("purpose") == "login"
        ? "\(author) removed what logged the account in by itself."
        : "\(author) removed the credentials for \(text("purpose"))."
    case .attributesChanged: "The server told facts about the user that were not known before."
    case .cookiesChanged: "The server set cookies."
    default: nil
    }
  }

  private var switching: Sentence {
    guard data["to"] != nil else { return "No account is the current one any more." }
    let former = data["from"]?.text.map { ", in the place of \($0.prefix(8))" } ?? ""
    return "\(author) made the account the current one\(former)."
  }

  private var held: Int64 { data["events"]?.integer ?? 0 }

  private var erasure: Sentence {
    let untold =
      switch data["untold"]?.integer ?? 0 {
      case 0: ""
      case 1: " One thing that its server was still to be told was never said."
      case let count: " \(count) things that its servers were still to be told were never said."
      }
    return "\(author) erased the account: its key was destroyed, and with it the person's facts "
      + "and every secret. What happened is still in the log.\(untold)"
  }

  private var used: Sentence {
    guard let attempt = data["attempt"]?.integer, attempt > 1 else {
      return "\(author) took what was saved to log the account in again."
    }
    return "\(author) took what was saved to log the account in again, for the \(attempt.ordinal) "
      + "time: no answer had come to it before."
  }

  func text(_ name: String) -> String { data[name]?.text ?? "?" }

  // MARK: Renewals

  private func aboutRenewal(_ kind: EventKind) -> Sentence? {
    switch kind {
    case .refreshStarted:
      "\(author) was about to send what the session is renewed with\(trigger)\(again)."
    case .refreshSucceeded where data["partial"]?.bool == true:
      "The server gave another refresh token, and nothing else that can be used: what the session has "
        + "serves until its end."
    case .refreshSucceeded: "The session was renewed.\(lifetime)\(missing)\(unheeded)"
    case .refreshFailed: "The renewal failed: \(failure)."
    case .refreshDeferred: "The session could not be renewed: \(failure)." + deferral
    case .refreshDiscarded:
      "The answer to a renewal by \(author) came too late: the session it was for was no longer there. What came "
        + (data["outbox"] == nil ? "with it is not used." : "with it is taken back.")
        + (data["saved"]?.bool == true
          ? " Its refresh token alone is kept, in the place of the one that was saved." : "")
    case .refreshAdopted:
      "The renewal failed (\(failure)), but another program had renewed the session: its tokens were "
        + "taken over."
    default: nil
    }
  }

  /// What is said of an ID token that came along and counts for nothing.
  private var unheeded: String {
    guard let rule = data["idToken"]?.text else { return "" }
    let refusal = Fault.idToken(rule).meaning() ?? "the server's ID token was refused"
    return " The ID token that came along counts for nothing: \(refusal) (\(rule))."
  }

  private var trigger: String {
    switch text("trigger") {
    case "early": ", before its end came near"
    case "needed": ", for its life was over or near its end"
    case "undecided": ", because the server did not say that the access token is good"
    case "401": ", for the server had refused a request"
    case "asked": ", for somebody asked for it"
    case "insisted": ", for somebody insisted on it"
    default: ""
    }
  }

  private var again: String {
    guard let attempt = data["attempt"]?.integer, attempt > 1 else { return "" }
    return ", now for the \(attempt.ordinal) time"
  }

  /// What a server demands beyond that is not heeded.
  private static let longestDemand = Duration.seconds(86_400).microseconds

  private var deferral: Sentence {
    if data["halted"]?.bool == true || data["attempt"] != nil {
      return " It is not tried again by itself."
    }
    guard let wait = data["retryAfter"]?.integer else { return "" }
    let until = at + .microseconds(wait)
    if data["demanded"]?.bool == true, wait >= Self.longestDemand {
      return
        " The server demanded to be left alone for a day or longer: it is asked after \(until)."
    }
    if data["demanded"]?.bool == true, let named = data["demandedWait"]?.integer {
      return
        " The server demanded to be left alone until \(at + .microseconds(named)). By itself nothing "
        + "is sent before \(until)."
    }
    return data["demanded"]?.bool == true
      ? " The server demanded to be left alone until \(until)."
      : " Before \(until) only a use that needs it tries again, and none that would send a password."
  }

  // MARK: Sessions

  private func aboutSession(_ kind: EventKind) -> Sentence? {
    switch kind {
    case .sessionRestored:
      text("evidence") == "password"
        ? "\(author) resumed the session without the network, after checking the password."
        : "\(author) resumed the session from the log, without the network."
    case .sessionVerified: "The server confirmed the session.\(unheeded)"
    case .sessionUnverified:
      "\(author) asked the server whether the session lives on, and learned nothing: \(failure)."
        + consequence
    case .requestRefused where data["status"]?.integer == 400:
      "The server answered 400 to a request of \(author). It did not refuse the session."
    case .requestRefused:
      "The server refused a request of \(author)\(said). It did not refuse the session."
    case .sessionExpired: "The session's life was over, and nothing had renewed it."
    case .sessionUncertain: uncertainty
    case .sessionEnded: endSentence("\(reason)\(said)")
    case .logoutRequested: "\(author) logged the account out, because \(order)."
    case .logoutCompleted: logout
    case .clockObserved: clocks
    default: nil
    }
  }

  /// That the session ended by it, and why, with what the server said.
  func endSentence(_ cause: Sentence) -> Sentence {
    let isAnswered = text("reason") == EndReason.identityMismatch.rawValue || isRefusedInUse
    return "The session ended: " + cause + "."
      + (isAnswered ? " It was \(author) that was answered so." : "")
  }

  private var uncertainty: Sentence {
    if data["code"] == nil, data["attempt"] == nil {
      return "The connection was lost: whether the session lives on at the server is not known."
    }
    return data["code"] == nil
      ? "No answer to that was ever recorded: whoever was to send it was gone, for its lock was free. "
        + "If it was sent, the server may have used it up."
      : isAnswered
        ? "The answer could not be used (\(failure)): the server may have used up what was sent."
        : "No answer came (\(failure)): the server may have used it up"
          + (fault?.isOfAnswer == true ? "." : ", if it was sent.")
  }

  /// Whether a failure is one of an answer that came.
  private var isAnswered: Bool {
    data["status"] != nil
      || [.contentUnexpected, .limitExceeded].contains(FailureCode(rawValue: text("code")))
  }

  /// Whether it tells of an end by the answer to a use or a question: how a renewal was refused, the step
  /// before it tells.
  private var isRefusedInUse: Bool {
    data["status"] != nil && text("code") == FailureCode.sessionRefused.rawValue
  }

  /// Whether it tells of an end that nobody's answer has brought.
  var isUnanswered: Bool {
    isKind(.sessionEnded) && data["code"] == nil
      && data["reason"]?.text == EndReason.refusedAfterUnknownOutcome.rawValue
  }

  private var reason: String {
    guard let reason = data["reason"]?.text else { return "no reason was recorded" }
    if isUnanswered { return EndReason.unknownOutcome }
    return EndReason(rawValue: reason)?.meaning ?? reason
  }

  private var order: String {
    switch text("by") {
    case "policy": "a policy of the app says so"
    case "erase": "it was to be erased"
    default: "the user asked for it"
    }
  }

  private var logout: Sentence {
    if let check = data["check"]?.text { return logout(of: check) }
    return switch text("server") {
    case "done" where (data["status"]?.integer ?? 0) >= 400:
      "The server was told, and answered\(said): it has nothing to end, or does not end it."
    case "done": "The server was told, and accepted the logout."
    case "queued" where fault?.isOfAnswer == true:
      "Whether the server heard of it is not known (\(failure)): that was put aside, to be told again."
    case "queued":
      if let wait = data["demandedWait"]?.integer {
        "The server could not be told then (\(failure)): that was put aside, not to be told before "
          + "\(at + .microseconds(wait)), for so long it demanded to be left alone."
      } else if data["code"] == nil, data["status"] == nil {
        "The server was not told then, for what had waited before was still being told: that was put aside."
      } else {
        "The server could not be told then (\(failure)): that was put aside, to be told later."
      }
    case "givenUp":
      "Telling the server was given up: it refuses to hear of it\(said). What it had granted may live on there."
    case "failed": "The server did not take the logout (\(failure))."
    case "unread":
      "The server was not told: what it had granted could not be read here, and may live on there."
    default: "The server was not told: it names no page for that, or has nothing to end."
    }
  }

  /// What became of the logout of one security check.
  private func logout(of check: String) -> Sentence {
    switch text("server") {
    case "done" where (data["status"]?.integer ?? 0) >= 400:
      "\(author) told the server to forget its check “\(check)”, and it answered\(said)."
    case "done": "\(author) told the server to forget its check “\(check)”, and it did."
    case "none":
      "\(author) was to have the server forget its check “\(check)”, and there was nothing to end."
    default:
      "\(author) told the server to forget its check “\(check)”, which it did not do (\(failure))."
    }
  }

  /// A number without its sign, whatever an event says.
  private static func size(_ number: Int64) -> Int64 { Int64(clamping: number.magnitude) }

  private var clocks: Sentence {
    if let jump = data["jump"]?.integer {
      let length = Duration.microseconds(Self.size(jump)).words
      return "This machine's clock had jumped by \(length) \(jump < 0 ? "back" : "forward")."
    }
    guard let offset = data["offset"]?.integer, offset != 0 else {
      return "The server's clock agreed with this machine's again."
    }
    let length = Duration.microseconds(Self.size(offset)).words
    return "The server's clock was \(length) \(offset < 0 ? "behind" : "ahead of") this machine's."
  }
}
