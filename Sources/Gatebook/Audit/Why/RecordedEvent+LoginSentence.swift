extension RecordedEvent {
  /// What happened in a login or with a question; `nil` for anything else.
  func aboutLogin(_ kind: EventKind) -> Sentence? {
    switch kind {
    case .loginStarted:
      data["interactive"]?.bool == false
        ? "\(author) began to log the account in again at \(text("server")), with saved credentials."
        : "\(author) began a login at \(text("server")) by \(text("method"))."
    case .loginSucceeded: "The login succeeded: \(proof).\(lifetime)\(missing)"
    case .challengeFailed where isStrayRedirect && text("fault") == "redirect.used":
      "A redirect arrived whose answer had already been used. \(author) ignored it, and waiting logins "
        + "keep waiting."
    case .challengeFailed where isStrayRedirect && text("fault") == "redirect.late":
      "A redirect arrived after its login had ended. \(author) ignored it, and waiting logins keep waiting."
    case .loginFailed where isStrayRedirect, .challengeFailed where isStrayRedirect:
      text("code") == FailureCode.stateMismatch.rawValue
        ? "A redirect arrived whose state does not belong to any login. \(author) ignored it, and "
          + "waiting logins keep waiting."
        : "A redirect arrived that could not be read. \(author) ignored it, and waiting logins keep "
          + "waiting."
    case .loginFailed where data["saved"]?.bool == true:
      "A login by \(author) failed: the server sent only a new refresh token. It replaces the one that "
        + "was sent."
    case .loginFailed
    where text("code") == FailureCode.outcomeUnknown.rawValue && data["status"] == nil:
      "That login's process ended without recording an answer."
        + consequence
    // The process that finds it expired records it.
    case .loginFailed where text("code") == FailureCode.challengeTimedOut.rawValue:
      "The login failed: \(failure)." + consequence
    case .loginFailed: "A login by \(author) failed: \(failure)." + consequence
    case .loginCancelled:
      text("reason") == "nobody"
        ? "The login ended without a user, because no security check of the server named one."
        : data["saved"]?.bool == true
          ? "The login was no longer needed. Its refresh token replaces the saved one."
          : data["outbox"] == nil
            ? "\(author) cancelled the login."
            : "The answer to a login by \(author) came when the login was no longer needed. Its tokens "
              + "are being revoked."
    case .challengeReceived where isOffline:
      "The user was asked for the password, to check it without the server."
    case .challengeAnswered where isOffline:
      "The password that \(author) checked without the server was correct."
    case .challengeFailed where isOffline:
      "The password that \(author) checked without the server was wrong.\(remaining)"
    case .challengeReceived where text("scheme") == "device" && data["interval"] != nil:
      "The server asked to be polled less often for the code."
    case .challengeReceived where text("check") == "step-up": "The server asked \(stepUp)."
    case .challengeReceived: "The server asked for \(challenge)."
    case .challengeAnswered: "\(author) answered with \(challenge)."
    case .challengeCancelled: "The server's request for \(challenge) was declined."
    case .challengeFailed where text("code") == FailureCode.challengeBlocked.rawValue:
      "The server has blocked further answers\(toCheck)."
    case .challengeFailed where isSecurityCheck:
      "\(author) failed to answer the server's security check\(check): \(refusal).\(remaining)"
    case .challengeFailed
    where text("scheme") == "redirect" && data["code"] == nil && data["reason"] == nil:
      "Nobody returned from the server's login page in time."
    case .challengeFailed where text("scheme") == "device" && data["code"] == nil:
      "Nobody entered the code on another device, or the server did not accept it."
    case .challengeFailed: "The server's request for \(challenge) failed: \(refusal)."
    case .checkSucceeded:
      data["remembered"]?.bool == true
        ? "The server's security check\(check) was passed, because the server remembered the user."
        : "The server's security check\(check) was passed."
    case .tokenGranted: "The server granted a token\(scope).\(lifetime)"
    case .tokenCleared: "The token\(scope) was discarded: \(clearing)."
    default: nil
    }
  }

  private var proof: String {
    switch text("evidence") {
    case "identity": "the server named the user"
    case "check": "a page refused access without the credentials and answered with them"
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
      return " The server may have processed it, so a token or a code that was sent may be used up."
    }
    let doubt = fault?.isOfAnswer == true ? " The server may have processed it." : ""
    if data["halted"]?.bool == true {
      return "\(doubt) Gatebook does not send it again automatically."
    }
    // A delivery has a wait of its own: what its server asked for is recorded apart.
    if isKind(.loginFailed), let wait = data["retryAfter"]?.integer {
      return "\(doubt) The server asks not to log in again before \(at + .microseconds(wait))."
    }
    if let wait = data["demandedWait"]?.integer {
      return "\(doubt) The server asked not to be contacted before \(at + .microseconds(wait))."
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
    isSecurityCheck ? " to its security check\(check)" : " to its request for \(challenge)"
  }

  private var remaining: String {
    switch data["remaining"]?.integer {
    case 0? where !isOffline: " No attempts are left."
    case 0?: " No attempts are left: only a login at the server allows offline logins again."
    case let count?: " Tries left: \(count)."
    case nil: ""
    }
  }

  private var challenge: String {
    if text("check") == "step-up" { return "a login as it demands" }
    return switch text("scheme") {
    case "server-trust": "a decision about its certificate"
    case "redirect": "a login on its page"
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
      facts["scope"]?.text.map { "for more permissions than the session has (“\($0)”)" },
      facts["acr"]?.text.map { "for a stronger login (“\($0)”)" },
      data["maximumAge"] == nil ? nil : "for a fresh login",
    ].compactMap { $0 }
    guard !wanted.isEmpty else {
      guard demandsNothing else {
        return "for a stronger or a fresh login, or for more permissions"
      }
      return switch data["error"]?.text {
      case StepUp.scopeError: "for more permissions than the session has, but did not say which"
      case nil:
        "for another login, but did not say which: a stronger or fresh one, or more permissions"
      default: "for a stronger or a fresh login, but did not say which"
      }
    }
    return wanted.joined(separator: ", and ")
  }

  private var refusal: String {
    switch text("reason") {
    case "declined": "the default answer was used, which refuses"
    case "rejected": "the application rejected it"
    case "undecided": "no answer came in time"
    case "unfit": "the application cannot answer it"
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
    case "registration": "the client registered again"
    case "logout": "the user logged out of its service"
    default: "no reason was recorded"
    }
  }
}
