extension RecordedEvent {
  /// What happened between the book and its servers beside sessions; `nil` for anything else.
  func aboutServers(_ kind: EventKind) -> Sentence? {
    switch kind {
    case .revocationQueued where text("reason") == "forgotten":
      "Gatebook had to tell the server to revoke the saved refresh token, which was deleted from the book."
    case .revocationQueued where text("reason") == "late":
      "Gatebook had to tell the server to revoke tokens that are not used."
    case .revocationQueued:
      "Gatebook had to tell the server to revoke the tokens that it had granted."
    case .revocationSucceeded: delivered
    case .revocationFailed:
      data["halted"]?.bool == true
        ? "Gatebook gave up telling the server: \(failure). The tokens that it granted may still be "
          + "valid there."
        : "The server could not be told: \(failure)." + consequence
    case .originAllowed: "The account may also use \(text("scheme"))://\(host)."
    case .trustDecided: "\(decider) \(verdict)."
    case .registrationCreated: "The client registered with the server."
    case .registrationReplaced: "The client registered with the server again."
    case .registrationRejected: "The server rejected the client's registration."
    case .discoveryChanged: "The server had changed some of its endpoint URLs."
    default: nil
    }
  }

  private var delivered: Sentence {
    let status = data["status"]?.integer ?? 0
    guard status < 400 else {
      return
        "The server was told to revoke the tokens that it had granted, and answered \(status): it had "
        + "nothing to revoke, or did not do it."
    }
    return data["outbox"] == nil
      ? "The server revoked tokens that are not used."
      : "The server was told to revoke the tokens that it had granted, and accepted."
  }

  private var decider: String {
    text("by") == "policy" ? author : "The user, through \(author),"
  }

  private var verdict: String {
    switch text("verdict") {
    case "accepted" where data["defects"] == .list(["cleartext"]):
      "allowed secrets to be sent to \(host) unencrypted"
    case "accepted": "accepted the certificate of \(host)"
    case "refused" where text("fault") == "key.named":
      "refused \(host): its key is not the one that was named"
    case "refused" where text("code") == FailureCode.tlsKeyChanged.rawValue:
      "refused \(host): its key has changed"
    case "refused": "refused the certificate of \(host)\(flaws)"
    case "pinned": "allowed only certain keys of \(host)"
    case "revoked": "withdrew an earlier decision to trust \(host)"
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
