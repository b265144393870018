extension RecordedEvent {
  /// What happened, in plain words; a kind that only a newer version knows stands by its name.
  var sentence: Sentence {
    guard let known = EventKind(rawValue: kind) else {
      return "A newer version of Gatebook recorded “\(kind)”, which this version does not know."
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
      return
        "the server rejected the saved credentials, which may have been used up by a login whose answer "
        + "was lost"
        + said
    }
    if let meaning = fault?.meaning() { return meaning + said }
    switch data["code"]?.text.map(FailureCode.init(rawValue:)) {
    case .challengeCancelled?
    where ["access_denied", "authorization_declined"].contains(text("error")):
      return FailureCode.deniedOnPage + said
    case .contentUnexpected? where isKind(.loginFailed) && fault?.isOfSettings == true:
      return "the answer did not follow the protocol: the address may belong to another service"
        + said
    case .loginUnprovable? where isKind(.sessionUnverified):
      return "its answer does not prove the login" + said
    case .configurationInvalid? where [404, 405, 410].contains(data["status"]?.integer):
      return "the server has no such endpoint at that address" + said
    case .identityMismatch? where isKind(.loginFailed):
      return FailureCode.anotherUser + said
    case .sessionRefused? where isKind(.loginFailed) && data["halted"]?.bool == true:
      return "the server rejected the saved credentials, which may have been changed there" + said
    case .credentialsRefused? where isRefusedOtherwise:
      return "the server rejected the login" + said
    case .serverRefused? where isKind(.loginFailed): return "the server rejected the login" + said
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
    guard let lifetime = data["lifetime"]?.integer else { return "" }
    let key =
      data["method"]?.text.map { SessionKey(method: $0)?.name ?? "session" } ?? "access token"
    return " The \(key) is valid for \(Duration.microseconds(lifetime).words)."
  }

  var missing: String {
    guard let names = data["missing"]?.text else { return "" }
    return " Not granted: \(names.split(separator: " ").joined(separator: ", "))."
  }

  // MARK: The book and its accounts

  private func aboutBook(_ kind: EventKind) -> Sentence? {
    switch kind {
    case .bookCreated: "\(author) created the book."
    case .bookMigrated: "\(author) updated the book's tables."
    case .bookOpened:
      "Another installation, or one with another key, opened the book: \(author)."
    case .bookBackedUp: "\(author) made a copy of the book, up to its position \(held)."
    case .bookContinued:
      "\(author) moved the earlier events into an archive. The book continues with the same sessions."
    case .bookRecovered:
      "\(author) recovered the book from a damaged one. It continues from what could be read."
    case .keyChanged:
      "\(author) moved the master key from \(text("from")) to \(text("to"))."
    case .accountAdded: "The account was added to the book: \(text("method")) at \(text("server"))."
    case .accountRenamed: "\(author) renamed the account."
    case .accountSwitched: switching
    case .accountErased: erasure
    case .credentialsSaved:
      text("purpose") == "login"
        ? "Credentials were saved that log the account in automatically."
        : "Credentials for \(text("purpose")) were saved."
    case .credentialsLoaded: used
    case .credentialsRemoved:
      text("purpose") == "login"
        ? "\(author) removed the credentials that logged the account in automatically."
        : "\(author) removed the credentials for \(text("purpose"))."
    case .attributesChanged: "The server sent new attributes of the user."
    case .cookiesChanged: "The server set cookies."
    default: nil
    }
  }

  private var switching: Sentence {
    guard data["to"] != nil else { return "No account is the current one." }
    let former = data["from"]?.text.map { ", instead of \($0.prefix(8))" } ?? ""
    return "\(author) made the account the current one\(former)."
  }

  private var held: Int64 { data["events"]?.integer ?? 0 }

  private var erasure: Sentence {
    let untold =
      switch data["untold"]?.integer ?? 0 {
      case 0: ""
      case 1: " One message to its server was never sent."
      case let count: " \(count) messages to its servers were never sent."
      }
    return
      "\(author) erased the account: its key was destroyed, so its personal data and its secrets are gone. "
      + "The log keeps what happened.\(untold)"
  }

  private var used: Sentence {
    guard let attempt = data["attempt"]?.integer, attempt > 1 else {
      return "\(author) used the saved credentials to log the account in again."
    }
    return
      "\(author) used the saved credentials to log the account in again, for the \(attempt.ordinal) "
      + "time: no answer to an earlier use was recorded."
  }

  func text(_ name: String) -> String { data[name]?.text ?? "?" }

  // MARK: Renewals

  private func aboutRenewal(_ kind: EventKind) -> Sentence? {
    switch kind {
    case .refreshStarted:
      "\(author) was about to \(deed)\(trigger)\(again)."
    case .refreshSucceeded where data["partial"]?.bool == true:
      "The server sent only a new refresh token. The session keeps its access token until that expires."
    case .refreshSucceeded: "The session was renewed.\(lifetime)\(missing)\(unheeded)"
    case .refreshFailed: "Renewal failed: \(failure)."
    case .refreshDeferred: "Renewal failed: \(failure)." + deferral
    case .refreshDiscarded:
      "The answer to a renewal by \(author) came too late: the session had ended or been replaced. Its tokens are "
        + (data["outbox"] == nil ? "not used." : "being revoked.")
        + (data["saved"]?.bool == true
          ? " Only its refresh token is kept: it replaces the saved one." : "")
    case .refreshAdopted:
      "Renewal failed (\(failure)), but another program had renewed the session. Its tokens are used now."
    default: nil
    }
  }

  /// What is said of an ID token in the answer that is ignored.
  private var unheeded: String {
    guard let rule = data["idToken"]?.text else { return "" }
    let refusal = Fault.idToken(rule).meaning() ?? "the server's ID token was rejected"
    return " The ID token in that answer is ignored: \(refusal) (\(rule))."
  }

  /// Whether a token is sent says its fingerprint: a password, or the client's own secret, has none.
  private var deed: String {
    data["fingerprint"] == nil ? "renew the session" : "send the refresh token"
  }

  private var trigger: String {
    switch text("trigger") {
    case "early": " well before the access token expired"
    case "needed": " because the access token was expiring"
    case "undecided": " because the server did not confirm the access token"
    case "401": " because the server had refused a request"
    case "asked": " because a renewal was requested"
    case "insisted": " because one more try was explicitly requested"
    default: ""
    }
  }

  private var again: String {
    guard let attempt = data["attempt"]?.integer, attempt > 1 else { return "" }
    return ", for the \(attempt.ordinal) time"
  }

  /// What a server demands beyond that is not heeded.
  private static let longestDemand = Duration.seconds(86_400).microseconds

  private var deferral: Sentence {
    if data["halted"]?.bool == true || data["attempt"] != nil {
      return " Gatebook does not try again automatically."
    }
    guard let wait = data["retryAfter"]?.integer else { return "" }
    let until = at + .microseconds(wait)
    if data["demanded"]?.bool == true, wait >= Self.longestDemand {
      return
        " The server asked not to be contacted for a day or longer. Gatebook tries again after \(until)."
    }
    if data["demanded"]?.bool == true, let named = data["demandedWait"]?.integer {
      return
        " The server asked not to be contacted before \(at + .microseconds(named)). Gatebook tries again "
        + "after \(until)."
    }
    return data["demanded"]?.bool == true
      ? " The server asked not to be contacted before \(until)."
      : " Gatebook tries again after \(until), or earlier if a request needs it. A saved "
        + "password is not sent earlier."
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
      "\(author) asked the server whether the session is valid, but got no usable answer: \(failure)."
        + consequence
    case .requestRefused where data["status"]?.integer == 400:
      "The server answered 400 to a request of \(author). It did not refuse the session."
    case .requestRefused:
      "The server refused a request of \(author)\(said). It did not refuse the session."
    case .sessionExpired: "The session expired, and nothing had renewed it."
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
      + (isAnswered ? " The request came from \(author)." : "")
  }

  private var uncertainty: Sentence {
    if data["code"] == nil, data["attempt"] == nil {
      return
        "The connection was lost: it is not known whether the server still accepts the session."
    }
    return data["code"] == nil
      ? "That process ended without recording an answer. If the request reached the server, the refresh token may "
        + "already be used."
      : isAnswered
        ? "The answer could not be used (\(failure)): the refresh token may already be used."
        : "No answer came (\(failure))"
          + (fault?.isOfAnswer == true
            ? ": the refresh token may already be used."
            : ". If the request reached the server, the refresh token may already be used.")
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
    case "policy": "a policy of the app requires it"
    case "erase": "it was being erased"
    default: "the user asked for it"
    }
  }

  private var logout: Sentence {
    if let check = data["check"]?.text { return logout(of: check) }
    return switch text("server") {
    case "done" where (data["status"]?.integer ?? 0) >= 400:
      "The server was told, and answered\(said): it had nothing to end, or did not end it."
    case "done": "The server was told, and accepted the logout."
    case "queued" where fault?.isOfAnswer == true:
      "It is not known whether the server was told (\(failure)). Gatebook will tell it again."
    case "queued":
      if let wait = data["demandedWait"]?.integer {
        "The server could not be told (\(failure)). It asked not to be contacted before "
          + "\(at + .microseconds(wait)). Gatebook will tell it later."
      } else if data["code"] == nil, data["status"] == nil {
        "The server was not told, because an earlier message was still being sent. Gatebook will tell "
          + "it later."
      } else {
        "The server could not be told (\(failure)). Gatebook will tell it later."
      }
    case "givenUp":
      "Gatebook gave up telling the server, because it rejects the message\(said). The tokens that it "
        + "granted may still be valid there."
    case "failed": "The server did not accept the logout (\(failure))."
    case "unread":
      "The server was not told, because the session's secrets could not be read. Its tokens may still "
        + "be valid there."
    default:
      "The server was not told, because it has no logout endpoint, or nothing to end."
    }
  }

  /// What became of the logout of one security check.
  private func logout(of check: String) -> Sentence {
    switch text("server") {
    case "done" where (data["status"]?.integer ?? 0) >= 400:
      "\(author) told the server to forget its check “\(check)”, and it answered\(said)."
    case "done": "\(author) told the server to forget its check “\(check)”, and it did."
    case "none":
      "\(author) had nothing to tell the server about its check “\(check)”, because there was nothing "
        + "to end."
    default:
      "\(author) told the server to forget its check “\(check)”, but it did not (\(failure))."
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
