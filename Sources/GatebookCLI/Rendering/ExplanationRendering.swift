internal import Gatebook

/// An explanation as `why` prints it.
enum ExplanationRendering {
  /// What of the book counts for what is to be done.
  struct Place {
    /// The options that name it and its key, as they were given: what is to be done names them too.
    let options: String
    /// Whether it is an archive, in which nothing can be done.
    let isArchive: Bool
    /// Whether its key was looked for and is not here.
    let lacksKey: Bool
    /// What the account's last login was asked with; `nil` where that is not known.
    let settings: SavedSettings?
    /// Whom the account trusts; `nil` where that is not known.
    let trust: Trust?
    /// The scopes that a server demanded last.
    var demanded: [String] = []
    /// The scopes that the session has, as far as they are known.
    var granted: [String] = []
    /// The scopes that the server lists, as far as they are known.
    var listed: [String] = []
  }

  /// For people: the answer, what led to it a paragraph each, and what to do.
  ///
  /// - Parameters:
  ///   - explanation: What was asked for.
  ///   - context: Of the account that it is about.
  ///   - place: The book.
  ///   - times: Writes times.
  ///   - columns: How wide the terminal is; `nil` for any width.
  /// - Returns: Lines.
  static func lines(
    _ explanation: Explanation, of context: SessionContext?, in place: Place, _ times: TimeText,
    columns: Int? = nil
  ) -> [String] {
    let name = context.map { ["\(AccountRendering.name($0)), \($0.method) at \($0.server)"] } ?? []
    let width = explanation.steps.compactMap { $0.position?.description.count }.max() ?? 1
    let steps = explanation.steps.flatMap { step in
      let position = step.position?.description ?? "-"
      let gap = String(repeating: " ", count: max(0, width - position.count))
      let lead = "  \(gap)\(position)  \(times.text(step.at))  "
      let words = text(step.sentence, times)
      // On a narrow terminal the sentence is below its time.
      guard let columns, columns < DisplayWidth.of(lead) + narrowest else {
        return WrappedText.paragraph(lead, words, width: columns)
      }
      return ["  \(gap)\(position)  \(times.text(step.at))"]
        + WrappedText.paragraph("    ", words, width: columns)
    }
    let notes = [("Now: ", explanation.present), ("Not checked: ", explanation.unchecked)]
    return name + WrappedText.paragraph("", text(explanation.answer, times), width: columns) + [""]
      + steps
      + notes.flatMap { lead, note in
        note.map { [""] + WrappedText.paragraph(lead, text($0, times), width: columns) } ?? []
      }
      // Not broken into lines, so that it can be pasted unchanged.
      + ["", "Next: \(remedy(explanation, of: context, in: place))"]
  }

  /// Less room than that is none to read in.
  private static let narrowest = 30

  /// For programs: a line for each step, and one for what to do.
  ///
  /// - Parameters:
  ///   - explanation: What was asked for.
  ///   - context: Of the account that it is about.
  ///   - place: The book.
  /// - Returns: Objects; times inside of their texts are written as the others are.
  static func json(
    _ explanation: Explanation, of context: SessionContext?, in place: Place
  ) -> [JSON] {
    explanation.steps.map { step in
      .present([
        "position": step.position.map { .integer($0.rawValue) },
        "at": .time(step.at),
        "kind": .text(step.kind),
        "count": step.count > 1 ? .integer(step.count) : nil,
        "text": .text(step.sentence.text(TimeText.machine)),
      ])
    } + [
      .present([
        "answer": .text(explanation.answer.text(TimeText.machine)),
        "advice": .text(explanation.advice.rawValue),
        "account": explanation.account.map { .text($0.description) },
        "state": context.map { .text($0.state.name) },
        "present": explanation.present.map { .text($0.text(TimeText.machine)) },
        "unknown": explanation.unknown.map { .integer($0.rawValue) },
        "unchecked": explanation.unchecked.map { .text($0.text(TimeText.machine)) },
        "remedy": .text(remedy(explanation, of: context, in: place)),
      ])
    ]
  }

  private static func text(_ sentence: Sentence, _ times: TimeText) -> String {
    Printable.text(sentence.text(times.text))
  }

  /// What the last failure found fault with.
  private static func lastFault(_ explanation: Explanation) -> String? {
    explanation.events.last { $0.failure.code != nil }?.failure.fault?.name
  }

  /// Whether the last thing that is known of the server is that it refused a request, but not the
  /// session.
  private static func isAboutRequest(_ explanation: Explanation) -> Bool {
    explanation.events.last { event in
      event.failure.code != nil || event.trust != nil || event.isKind(.requestRefused)
    }?.isKind(.requestRefused) == true
  }

  /// Whether the last certificate that was refused is but out of date.
  private static func isOutOfDate(_ explanation: Explanation) -> Bool {
    let last = explanation.events.last { $0.trust != nil || $0.failure.code != nil }
    let refusal = explanation.events.last(where: \.refusesServer)
    let isLast = last == refusal || last?.failure.code == .tlsUntrusted
    return isLast && refusal?.trust?.isOutOfDate == true
  }

  /// How to log in where the server is not trusted.
  ///
  /// A key is named only if none was pinned or has changed: otherwise somebody may intercept the
  /// connection.
  private static func trusting(
    _ explanation: Explanation, _ login: NextLogin, _ trust: Trust?
  ) -> String {
    let refusal = explanation.events.last(where: \.refusesServer)
    let refused = refusal.flatMap { TrustException(record: $0.data.decided) }
    let isAnother = refusal?.failure.code == .tlsKeyChanged
    let authority = "`--ca-file` and the certificate authority that signed its certificate"
    guard let refused, !isAnother, let trust, TrustAdvice.mayAccept(refused, trust) else {
      guard login.hasAccount else {
        return "ask the server's administrator which key it has; then "
          + login.clause(.logIn, hint: "with that key, or with \(authority)")
      }
      return
        "ask the server's administrator whether the key was changed. If it was, `gatebook trust revoke` "
        + "removes the old key; then \(login.clause(.logInAgain))"
    }
    let key = AcceptedKey(refused.key, defects: refused.defects)
    let compare =
      "compare the key \(refused.key) with the one that the server's administrator names"
    guard let command = login.command(["--accept-key", key.description]) else {
      return "\(compare). If both are the same, "
        + login.clause(.logIn, hint: "with `--accept-key \(key)`, or with \(authority)")
    }
    return
      "\(compare). If both are the same, `\(command)` accepts it. Instead of `--accept-key` you can give "
      + authority
  }

  /// What to do, by the command that does it, on the book that was named.
  private static func remedy(
    _ explanation: Explanation, of context: SessionContext?, in place: Place
  ) -> String {
    // It never changes again: what any command would do is done in the book that continues it.
    guard !place.isArchive else {
      return "this is an archive. Run `gatebook why` on the book that continues it."
    }
    let key = "make the book's key available: without it nothing can be sent or recorded."
    if place.lacksKey, explanation.advice == .nothing { return key }
    return (place.lacksKey ? "\(key) Then " : "")
      + (explanation.isDiskFull && explanation.advice != .freeSpace
        ? "free space on the disk of the book, which is full; then " : "")
      // Without these options a command would act on the current account of the default book.
      + PrintedCommand.completed(
        advice(explanation, of: context, in: place),
        by: (context.map { " \(AccountRendering.option($0))" } ?? "") + place.options)
  }

  private static func advice(
    _ explanation: Explanation, of context: SessionContext?, in book: Place
  ) -> String {
    let place = book.options
    let start = explanation.events.last { $0.isKind(.loginStarted) }
    let login = NextLogin(
      context, book.settings, method: start?.facts(of: LoginStarted.self)?.method.known,
      granted: book.granted, listed: book.listed, options: place, lacksKey: book.lacksKey)
    let next = login.clause(context == nil ? .logIn : .logInAgain)
    let state = context?.state
    let isUsable = state.map { $0.isUsable }
    let mustStepUp = context?.openChallenges.contains("step-up") == true
    let isGateway = context?.method == "fcsdk"
    let trust: Trust? = context == nil ? Trust.system : book.trust
    return switch explanation.advice {
    case .nothing: "nothing needs to be done."
    // A gateway has no page that proves a session.
    case .use where isGateway: "use it."
    case .use: "use the account; `gatebook sync` asks the server now."
    case .useOnline:
      "make sure that the server can be reached (`gatebook doctor\(place)` checks it), then use the account"
        + (isGateway ? "" : "; `gatebook sync` asks the server to confirm the session")
        + ". The session ends unless the server confirms it."
    case .logInWithSavedLater:
      "wait until that time; then `gatebook refresh` logs in again with the saved credentials."
    case .wait where isUsable == false:
      "wait until that time; then `gatebook sync` tells the server."
    case .wait where context == nil: "wait until that time, then log in again."
    case .wait: "wait until that time, then use the account."
    case .logInLater where mustStepUp:
      "wait until that time; then `gatebook login --step-up` logs in as the server last demanded."
    case .logInLater: "wait until that time; then \(next)."
    case .resume:
      "`gatebook login --waiting\(place)` shows whether the login still waits. If it does, finish it "
        + "with `gatebook login --resume\(place)` (for a code) or `gatebook login --callback URL\(place)` "
        + "(for a page); otherwise \(next)."
    case .stepUp where context?.method.hasPrefix("oauth2") == true:
      "`gatebook login --step-up` logs in on the server's page as it last demanded; if it has no "
        + "login page, \(login.clause(askingFor: book.demanded))."
    case .stepUp: "`gatebook login --step-up` logs in as the server last demanded."
    case .askDemand:
      "ask the server's administrator which login or which permissions (scopes) it demands; then "
        + "\(login.clause(askingFor: book.demanded))."
    case .logInByOpenID:
      "log in with OpenID Connect, because OAuth 2.0 alone does not show how strong a login was. "
        + "`gatebook help login oidc` lists the options."
    case .awaitProcess where state == .ended(.erased):
      "wait for that process; if it is stopped, resume it or end it. Tokens that the server grants to "
        + "it may stay valid there. Then \(login.clause(.addAnew))."
    case .awaitProcess where state.map({ $0 == .ended($0.reason ?? .erased) }) == true:
      "wait for that process; if it is stopped, resume it rather than end it, because it then revokes "
        + "the tokens that it received. Then \(login.clause(.logInAgain))."
    case .awaitProcess where isUsable == false:
      "wait for that process; if it is stopped, resume it. End it only if that does not help, because "
        + "an answer that it received may then be lost. If it does not log in, "
        + "\(login.clause(.logInAgain))."
    case .awaitProcess:
      "wait for that process; if it is stopped, resume it. End it only if that does not help, because "
        + "an answer that it received may then be lost. Afterwards `gatebook refresh` tries again."
    case .tryAgain: "`gatebook refresh` tries again."
    case .insist where isUsable == false:
      "\(login.clause(.logInAgain)); `gatebook refresh` tries the rejected refresh token once more."
    case .insist:
      "\(login.clause(.logInAgain)); `gatebook refresh --again` tries once more, but may end the "
        + "session."
    case .logIn where lastFault(explanation) == "label":
      "\(login.clause(context == nil ? .logIn : .logInAgain, hint: "with another `--label`"))."
    case .logIn where !explanation.lostScopes.isEmpty:
      "\(login.clause(askingFor: explanation.lostScopes)); if the server does not grant them, ask its "
        + "administrator."
    case .logIn: "\(next)."
    case .logInTrusting: "\(trusting(explanation, login, trust))."
    case .completeErasure:
      "`gatebook erase \(erased(explanation, context))\(place)` completes it."
    case .startOver: "\(login.clause(.addAnew))."
    case .logInWithSaved: "`gatebook refresh` logs in again with the saved credentials."
    case .answerChallenge: "\(login.clause(.answer))."
    case .checkSettings:
      "check the server's URLs and the client's settings; then \(next)."
    case .giveCertificate where lastFault(explanation) == "client.files":
      "restore the files of the client certificate and its key, or give others with `--client-cert` and "
        + "`--client-key`; then \(next)."
    case .giveCertificate:
      "ask the server's administrator for a client certificate. Give its file with `--client-cert`; "
        + "with it, \(next)."
    case .checkClock: "check this machine's clock and the server's; then \(next)."
    case .askServer where mustStepUp:
      "ask the server's administrator to allow it; then `gatebook login --step-up` logs in "
        + "again. For an application's own tokens, \(login.clause(askingFor: book.demanded))."
    case .askServer where isOutOfDate(explanation):
      "check this machine's clock, because by it the certificate is not valid now; if the clock is "
        + "right, ask the server's administrator. Then \(login.clause(.logIn))"
        + (isUsable == true ? ", or keep using the session." : ".")
    case .askServer where isAboutRequest(explanation):
      "ask the server's administrator what this account may do there. The session itself is fine."
    case .askServer where isUsable == true:
      "ask the server's administrator, then use the account; `gatebook refresh` renews the session "
        + "if it can be renewed."
    case .askServer: "ask the server's administrator; then \(next)."
    case .checkServer:
      "find out which server answers at that address"
        + (context == nil ? "" : "; `gatebook trust list` shows what the account trusts")
        + ". If it is the right one, \(trusting(explanation, login, trust))."
    case .checkIdentity where mustStepUp:
      "find out for which user the server answered; then `gatebook login --step-up` logs in "
        + "as the server last demanded. Log in as the account's own user."
    case .checkIdentity:
      "find out for which user, or as which issuer, the server answered; then \(next)."
    case .awaitDelivery:
      "wait for the process that is telling the server; if it is stopped, resume it or end it. Then "
        + "`gatebook sync` tells the server."
    case .freeSpace: "free space on the disk of the book: it is full, so nothing can be recorded."
    case .restoreBook:
      "use a copy of the book that still has the account's key. Without one, `gatebook recover -o "
        + "FILE\(place)` makes a new book; then log in again in it."
    case .deliver: "`gatebook sync` tells the servers that a session has ended."
    }
  }

  /// The account whose erasure is to be completed, as a command names it.
  private static func erased(_ explanation: Explanation, _ context: SessionContext?) -> String {
    if let context { return ShellText.word(AccountRendering.selector(context)) }
    return explanation.account?.description ?? ""
  }
}

extension Facts {
  /// What a decision about a certificate says of it, without who decided how.
  fileprivate var decided: Facts {
    var facts = Facts()
    for name in ["defects", "host", "key", "port"] { facts[name] = self[name] }
    return facts
  }
}
