extension RecordedEvent {
  /// What happened between the book and its servers beside sessions; `nil` for anything else.
  func aboutServers(_ kind: EventKind) -> Sentence? {
    switch kind {
    case .revocationQueued where text("reason") == "forgotten":
      "The server was to be told of the refresh token that was saved and is forgotten."
    case .revocationQueued where text("reason") == "late":
      "The server was to be told of tokens that nobody uses."
    case .revocationQueued: "The server was to be told of the end of what it had granted."
    case .revocationSucceeded: delivered
    case .revocationFailed:
      data["halted"]?.bool == true
        ? "Telling the server was given up: \(failure). What it had granted may live on there."
        : "The server could not be told: \(failure)." + consequence
    case .originAllowed: "The account may use \(text("scheme"))://\(host) too."
    case .trustDecided: "\(decider) \(verdict)."
    case .registrationCreated: "The client registered itself with the server."
    case .registrationReplaced: "The client registered itself with the server anew."
    case .registrationRejected: "The server rejected the client's registration."
    case .discoveryChanged: "The server had moved some of its addresses."
    default: nil
    }
  }

  private var delivered: Sentence {
    let status = data["status"]?.integer ?? 0
    guard status < 400 else {
      return
        "The server was told of the end of what it had granted, and answered \(status): it has nothing "
        + "to end, or does not end it."
    }
    return data["outbox"] == nil
      ? "The server took back what it had granted and nobody uses."
      : "The server was told of the end of what it had granted, and accepted it."
  }

  private var decider: String {
    text("by") == "policy" ? author : "The user, by \(author),"
  }

  private var verdict: String {
    switch text("verdict") {
    case "accepted" where data["defects"] == .list(["cleartext"]):
      "allowed what is secret to cross the network to \(host) in the clear"
    case "accepted": "accepted the certificate of \(host)"
    case "refused" where text("fault") == "key.named":
      "refused \(host): it does not show the key that was named"
    case "refused" where text("code") == FailureCode.tlsKeyChanged.rawValue:
      "refused \(host): it shows another key than before"
    case "refused": "refused the certificate of \(host)\(flaws)"
    case "pinned": "allowed only certain keys of \(host)"
    case "revoked": "took back an earlier decision to trust \(host)"
    case "trusted": "found that \(host) is trusted again"
    default: "decided about trust in \(host)"
    }
  }

  /// What is wrong with a certificate: `, which has expired`.
  var flaws: String {
    let defects = data["defects"]?.list?.compactMap(\.text) ?? []
    guard !defects.isEmpty else { return "" }
    let words = defects.map { name in
      let defect = CertificateDefect(rawValue: name)
      let words = defect?.explanation ?? "has the defect \(name)"
      return [.expired, .notYetValid].contains(defect) ? "\(words) by this machine's clock" : words
    }
    return ", which \(words.joined(separator: ", and "))"
  }

  var host: String {
    guard let host = data["host"]?.text else { return "the server" }
    return data["port"]?.integer.map { "\(host):\($0)" } ?? host
  }
}
