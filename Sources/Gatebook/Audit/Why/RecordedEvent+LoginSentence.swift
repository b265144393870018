extension RecordedEvent {
  /// What happened in a login or with a question; `nil` for anything else.
  func aboutLogin(_ kind: EventKind) -> Sentence? {
    switch kind {
    case .loginStarted:
      data["interactive"]?.bool == false
        ? "\(author) began to log the account in again at \(text("server")), without asking anybody."
        : "\(author) began a login at \(text("server")) by \(text("method"))."
    case .loginSucceeded: "The login succeeded: \(proof).\(lifetime)\(missing)"
    case .challengeFailed where isStrayRedirect && text("fault") == "redirect.used":
      "A redirect came whose answer was used already: \(author) did not use it again, and waiting logins go on "
        + "waiting."
    case .challengeFailed where isStrayRedirect && text("fault") == "redirect.late":
      "A redirect came whose login had ended: its time was over. \(author) did not use it, and waiting logins go "
        + "on waiting."
    case .loginFailed where isStrayRedirect, .challengeFailed where isStrayRedirect:
      text("code") == FailureCode.stateMismatch.rawValue
        ? "A redirect came whose state belongs to no login: \(author) did not heed it, and logins that wait go on "
          + "waiting."
        : "A redirect came that cannot be read: \(author) did not heed it, and logins that wait go on "
          + "waiting."
    case .loginFailed where data["saved"]?.bool == true:
      "A login by \(author) failed: the server gave another refresh token, and nothing else that can be "
        + "used. It is kept in the place of the one that was sent."
    case .loginFailed
    where text("code") == FailureCode.outcomeUnknown.rawValue && data["status"] == nil:
      "No answer to that login was ever recorded: whoever was to send it was gone, for its lock was free."
        + consequence
    // Whoever finds that its time is over writes it down.
    case .loginFailed where text("code") == FailureCode.challengeTimedOut.rawValue:
      "The login failed: \(failure)." + consequence
    case .loginFailed: "A login by \(author) failed: \(failure)." + consequence
    case .loginCancelled:
      text("reason") == "nobody"
        ? "The login ended without a user: no check of the server named one."
        : data["saved"]?.bool == true
          ? "The login was not wanted any more. Its refresh token is kept in the place of the one that "
            + "was saved."
          : data["outbox"] == nil
            ? "\(author) cancelled the login."
            : "The answer to a login by \(author) came too late: it was not wanted any more. What came with it is "
              + "taken back."
    case .challengeReceived where isOffline:
      "The password was asked for, to be checked without the server."
    case .challengeAnswered where isOffline:
      "The password that \(author) checked without the server was the right one."
    case .challengeFailed where isOffline:
      "The password that \(author) checked without the server was not the right one.\(remaining)"
    case .challengeReceived where text("scheme") == "device" && data["interval"] != nil:
      "The server wants to be asked less often whether the code was entered."
    case .challengeReceived where text("check") == "step-up": "The server asked \(stepUp)."
    case .challengeReceived: "The server asked for \(challenge)."
    case .challengeAnswered: "\(author) answered with \(challenge)."
    case .challengeCancelled: "The server's question for \(challenge) was turned down."
    case .challengeFailed where text("code") == FailureCode.challengeBlocked.rawValue:
      "The server takes no answer\(toCheck) any more: it has blocked it."
    case .challengeFailed where isSecurityCheck:
      "\(author) failed to answer the server's security check\(check): \(refusal).\(remaining)"
    case .challengeFailed
    where text("scheme") == "redirect" && data["code"] == nil && data["reason"] == nil:
      "Nobody came back from the server's login page in time."
    case .challengeFailed where text("scheme") == "device" && data["code"] == nil:
      "Nobody entered the code on another device, or the server did not take it."
    case .challengeFailed: "The question for \(challenge) was not answered well: \(refusal)."
    case .checkSucceeded:
      data["remembered"]?.bool == true
        ? "The server remembered who had passed its check\(check)."
        : "The server's check\(check) was passed."
    case .tokenGranted: "The server granted a token\(scope).\(lifetime)"
    case .tokenCleared: "The token\(scope) was thrown away: \(clearing)."
    default: nil
    }
  }

  private var proof: String {
    switch text("evidence") {
    case "identity": "the server named the user"
    case "check": "a page refused without the credentials and answered with them"
    case "ownRecord": "the user's own record could be read"
    case "session" where text("method").hasPrefix("oauth2") || text("method").hasPrefix("oidc"):
      "the server granted tokens"
    case "session": "the server opened a session"
    case "token": "the server granted a token to the client itself"
    default: "the server accepted it"
    }
  }

  var consequence: Sentence {
    if data["unanswered"]?.bool == true {
      return " The server may have acted, and what was sent may be used up."
    }
    let doubt = fault?.isOfAnswer == true ? " The server may have acted." : ""
    if data["halted"]?.bool == true { return "\(doubt) Nothing is sent again by itself." }
    // A delivery waits by itself too: what its server demanded of that is told apart.
    if isKind(.loginFailed), let wait = data["retryAfter"]?.integer {
      return "\(doubt) The server wants no other before \(at + .microseconds(wait))."
    }
    if let wait = data["demandedWait"]?.integer {
      return "\(doubt) The server demanded to be left alone until \(at + .microseconds(wait))."
    }
    return "\(doubt)"
  }

  /// Whether it tells of a redirect that belongs to no login: older books tell it as a failed login.
  var isStrayRedirect: Bool {
    account == nil && session == nil
      && (isKind(.loginFailed) || (isKind(.challengeFailed) && text("scheme") == "redirect"))
  }

  /// Whether it is about a password that is checked without the server.
  var isOffline: Bool { text("source") == "offline" }

  private var isSecurityCheck: Bool {
    ["mobilefirst", "mfp-challenge"].contains(text("scheme"))
  }

  private var toCheck: String {
    isSecurityCheck ? " to its security check\(check)" : " to its question for \(challenge)"
  }

  private var remaining: String {
    switch data["remaining"]?.integer {
    case 0? where !isOffline: " No more tries are left."
    case 0?: " No more tries are left: only a login at the server opens the account that way again."
    case let count?: " Tries that are left: \(count)."
    case nil: ""
    }
  }

  private var challenge: String {
    if text("check") == "step-up" { return "a login as it demands" }
    return switch text("scheme") {
    case "server-trust": "a decision about its certificate"
    case "redirect": "a visit to its login page"
    case "device": "a code to be entered on another device"
    case "mobilefirst", "mfp-challenge": "the answer to its security check\(check)"
    case let scheme where data["proxy"]?.bool == true: "the proxy's \(scheme) credentials"
    case let scheme: "\(scheme) credentials"
    }
  }

  /// Whether it tells of a login that a server wants to be stronger or fresh, not only of scopes.
  var demandsAuthentication: Bool {
    data["maximumAge"] != nil || personal?.value?["acr"] != nil
  }

  /// Whether it tells of a server that wants another login and does not say which.
  var demandsNothing: Bool { data["maximumAge"] == nil && personal == nil }

  /// What a server wants that the session does not have, as far as it can be read.
  var stepUp: String {
    let facts = personal?.value ?? [:]
    let wanted = [
      facts["scope"]?.text.map { "for more than the session may do (“\($0)”)" },
      facts["acr"]?.text.map { "for a stronger login (“\($0)”)" },
      data["maximumAge"] == nil ? nil : "for a fresh login",
    ].compactMap { $0 }
    guard !wanted.isEmpty else {
      return demandsNothing
        ? "for another login, and did not say for which: a stronger or a fresh one, or one with more "
          + "scopes"
        : "for a stronger or a fresh login, or for more scopes"
    }
    return wanted.joined(separator: ", and ")
  }

  private var refusal: String {
    switch text("reason") {
    case "declined": "it was left to the default, which refuses"
    case "rejected": "it was not wanted here"
    case "undecided": "nobody decided in time"
    case "unfit": "nobody has an answer to it"
    case "refused": "the server refused the answer"
    default:
      if data["code"] != nil {
        failure
      } else {
        "it was wrong"
      }
    }
  }

  private var check: String { data["check"]?.text.map { " “\($0)”" } ?? "" }
  private var scope: String {
    guard let scope = data["scope"]?.text, !scope.isEmpty else { return "" }
    return " for “\(scope)”"
  }

  private var clearing: String {
    switch text("reason") {
    case "asked": "the app asked for it"
    case "refused": "the server refused it"
    case "registration": "the client registered anew"
    case "logout": "the user logged out of what it was for"
    default: "no reason was recorded"
    }
  }
}
