internal import Gatebook

/// An explanation as `why` prints it.
enum ExplanationRendering {
  /// What of the book counts for what is to be done.
  struct Place {
    /// Its path, where it was named: what is to be done names it too.
    let book: String?
    /// Whether it is an archive, in which nothing can be done any more.
    let isArchive: Bool
    /// Whether its key was looked for and is not here.
    let lacksKey: Bool
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
      // On a narrow terminal what happened stands below its time.
      guard let columns, columns < DisplayWidth.of(lead) + narrowest else {
        return WrappedText.paragraph(lead, words, width: columns)
      }
      return ["  \(gap)\(position)  \(times.text(step.at))"]
        + WrappedText.paragraph("    ", words, width: columns)
    }
    return name + WrappedText.paragraph("", text(explanation.answer, times), width: columns) + [""]
      + steps
      + (explanation.present.map {
        [""] + WrappedText.paragraph("Now: ", text($0, times), width: columns)
      } ?? [])
      // Not broken into lines: it is to be pasted as it stands.
      + ["", "To go on: \(remedy(explanation, of: context, in: place))"]
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
        "remedy": .text(remedy(explanation, of: context, in: place)),
      ])
    ]
  }

  private static func text(_ sentence: Sentence, _ times: TimeText) -> String {
    Printable.text(sentence.text(times.text))
  }

  /// What the last failure found fault with.
  private static func lastFault(_ explanation: Explanation) -> String? {
    explanation.events.last { $0.data["code"] != nil }?.data["fault"]?.text
  }

  /// Whether the last certificate that was refused is but out of date.
  private static func isOutOfDate(_ explanation: Explanation) -> Bool {
    let last = explanation.events.last { $0.data["verdict"] != nil || $0.data["code"] != nil }
    let refusal = explanation.events.last { $0.data["verdict"]?.text == "refused" }
    let defects = (refusal?.data["defects"]?.list ?? []).compactMap(\.text)
    let isLast = last == refusal || last?.data["code"]?.text == FailureCode.tlsUntrusted.rawValue
    return isLast && !defects.isEmpty && Set(defects).isSubset(of: ["expired", "notYetValid"])
  }

  /// The login that trusts a key, with what is wrong with the certificate that was refused last: without that
  /// it would be refused again.
  private static func trusting(_ explanation: Explanation, _ login: String) -> String {
    let refusal = explanation.events.last { $0.data["verdict"]?.text == "refused" }
    let defects = (refusal?.data["defects"]?.list ?? []).compactMap { defect in
      defect.text.flatMap(CertificateDefect.init(rawValue:))
    }
    return "`gatebook login \(login) --accept-key sha256/...\(AcceptedKey.tail(Set(defects)))`"
  }

  /// What to do, by the command that does it, on the book that was named.
  private static func remedy(
    _ explanation: Explanation, of context: SessionContext?, in place: Place
  ) -> String {
    // It never changes again: what any command would do is done in the book that goes on.
    guard !place.isArchive else {
      return "this is an archive: ask the book that goes on from it what is to be done now."
    }
    if place.lacksKey, explanation.advice == .nothing {
      return
        "the book's key is not here, and without it nothing can be sent or recorded: bring it back."
    }
    return
      (place.lacksKey
      ? "the book's key is not here, and without it nothing can be sent or recorded; where it is, "
      : "")
      + remedy(explanation, of: context, on: place.book)
  }

  private static func remedy(
    _ explanation: Explanation, of context: SessionContext?, on book: String?
  ) -> String {
    let place = book.map { " --book \(ShellText.word($0))" } ?? ""
    let account = (context.map { " \(AccountRendering.option($0))" } ?? "") + place
    let login = LoginLine.words(context, explanation) + place
    return switch explanation.advice {
    case .nothing: "nothing needs to be done."
    // A gateway has no page that proves a session.
    case .use where context?.method == "fcsdk": "use it."
    case .use: "use it; `gatebook sync\(account)` asks the server now."
    case .useOnline:
      "see to it that its server can be reached (`gatebook doctor\(place)` asks it), then use it"
        + (context?.method == "fcsdk" ? "" : "; `gatebook sync\(account)` has it confirmed")
        + ". Without the server's word the session ends."
    case .logInWithSavedLater:
      "wait until the server may be asked again; then `gatebook refresh\(account)` logs it in again with "
        + "what it has saved."
    case .wait where context?.state.isUsable == false:
      "wait until the server may be asked again; then `gatebook sync\(account)` tells it."
    case .wait where context == nil: "wait until the server may be asked again, then begin anew."
    case .wait: "wait until the server may be asked again, then use it."
    case .logInLater where context?.openChallenges.contains("step-up") == true:
      "wait until the server may be asked again; then `gatebook login --step-up\(account)` logs in as it "
        + "last demanded."
    case .logInLater:
      "wait until the server may be asked again; then `gatebook login \(login)` logs in"
        + "\(context == nil ? "" : " again")."
    case .resume:
      "`gatebook login --waiting\(place)` shows whether it can go on, by `--resume` for a code or `--callback` for "
        + "a page; else `gatebook login "
        + "\(login)`."
    case .stepUp where context?.method.hasPrefix("oauth2") == true:
      "`gatebook login --step-up\(account)` logs in as the server last demanded, on its page; where it has "
        + "none, `gatebook login \(login) --scopes S` asks for more scopes."
    case .stepUp:
      "`gatebook login --step-up\(account)` logs in as the server last demanded."
    case .askDemand:
      "ask who runs the server what it wants, then log in so: `gatebook login "
        + "\(login) --scopes S` asks for more scopes."
    case .logInByOpenID:
      "log in by OpenID Connect, as by `gatebook login oidc --issuer \(LoginLine.server(context)) "
        + "--client-id ...`: by OAuth 2.0 alone nothing tells how strong a login was."
    case .awaitProcess where context?.state == .ended(.erased):
      "wait for that process; if it stands still, wake it or end it: what the server grants it may live on there. "
        + "Then `gatebook login \(login)` adds the account anew."
    case .awaitProcess where context.map({ $0.state == .ended($0.state.reason ?? .erased) }) == true:
      "wait for that process; if it stands still, wake it, which gives back what it was granted, rather than end "
        + "it. Then `gatebook login \(login)` logs in again."
    case .awaitProcess where context?.state.isUsable == false:
      "wait for that process; if it stands still, wake it, and end it only where that does not help: the answer "
        + "that it may have got is lost then. If it does not log in, `gatebook login \(login)` does."
    case .awaitProcess:
      "wait for that process; if it stands still, wake it, and end it only where that does not help: the answer "
        + "that it may have got is lost then. Afterwards `gatebook refresh\(account)` tries once more."
    case .tryAgain: "`gatebook refresh\(account)` tries once more."
    case .insist where context?.state.isUsable == false:
      "`gatebook login \(login)` logs in again; `gatebook refresh\(account)` tries "
        + "once more what was refused."
    case .insist:
      "`gatebook login \(login)` logs in again; `gatebook refresh --again\(account)` "
        + "tries once more, and may end the session."
    case .logIn where lastFault(explanation) == "label":
      "`gatebook login \(LoginLine.words(nil, explanation))\(place) --label ...` logs in with another label."
    case .logIn:
      "`gatebook login \(login)` logs in\(context == nil ? "" : " again")."
    case .logInTrusting:
      "\(trusting(explanation, login)) logs in again with the key that whoever runs the server confirms, "
        + "`--ca-file F` with who signs its certificate."
    case .completeErasure:
      "`gatebook erase \(context.map { ShellText.word(AccountRendering.selector($0)) } ?? "...")\(place)` "
        + "completes it."
    case .startOver: "`gatebook login \(login)` adds the account anew."
    case .logInWithSaved:
      "`gatebook refresh\(account)` logs it in again with what it has saved."
    case .answerChallenge:
      "`gatebook login \(login)` answers what the server asks for."
    case .checkSettings:
      "check the server's addresses and the client's settings, then `gatebook login "
        + "\(login)`."
    case .giveCertificate where lastFault(explanation) == "client.files":
      "bring back the files of the client certificate and of its key, or name others: `gatebook login \(login) "
        + "--client-cert F --client-key K`."
    case .giveCertificate:
      "`gatebook login \(login) --client-cert F` shows the server a client certificate: "
        + "whoever runs it issues one."
    case .checkClock:
      "check this machine's clock and the server's, then `gatebook login "
        + "\(login)`."
    case .askServer where context?.openChallenges.contains("step-up") == true:
      "ask who runs the server to allow it, then log in anew: `gatebook login --step-up\(account)`, or for "
        + "an application's own tokens `gatebook login \(login) --scopes S`."
    case .askServer where isOutOfDate(explanation):
      "check this machine's clock, by which the certificate is out of date; if it is right, ask who runs the "
        + "server. Then `gatebook login \(login)` logs in"
        + (context?.state.isUsable == true ? ", or use it as it is." : ".")
    case .askServer where context?.state.isUsable == true:
      "ask who runs the server, then use it; `gatebook refresh\(account)` renews it, where it has what that "
        + "takes."
    case .askServer:
      "ask who runs the server, then `gatebook login \(login)` logs in."
    case .checkServer:
      "find out which server answers there"
        + (context == nil ? "" : "; `gatebook trust list\(account)` shows whom the account trusts")
        + ". If it is the right one, \(trusting(explanation, login)) logs in with the key that whoever runs it "
        + "confirms, `--ca-file F` with who signs its certificate."
    case .checkIdentity where context?.openChallenges.contains("step-up") == true:
      "find out who answered there as whom; then `gatebook login --step-up\(account)` logs in as the server last "
        + "demanded, by the account's own user."
    case .checkIdentity:
      "find out as whom, or in whose name, the server answered, then `gatebook login "
        + "\(login)`."
    case .awaitDelivery:
      "wait for the process that tells the server now; if it stands still, wake it or end it, then "
        + "`gatebook sync\(account)` tells it."
    case .deliver: "`gatebook sync\(account)` tells the servers what they have not heard yet."
    }
  }
}
