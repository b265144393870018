extension RecordedEvent {
  /// What happened, in plain words; for a kind that only a newer version knows, its name.
  package var sentence: Sentence {
    guard let known = EventKind(rawValue: kind) else {
      return "A newer version of Gatebook recorded “\(kind)”, which this version does not know."
    }
    return known.facts.init(data).sentence(self)
  }

  /// Who wrote it: `mail 2.1, process 4121`.
  package var author: String {
    "\(writer.program.name) \(writer.program.version), process \(writer.process)"
  }

  /// What went wrong; empty for an event that tells of no failure.
  package var failure: Failure { Failure(data) }

  /// What waits for a server since it, or waits no longer.
  package var delivery: Delivery { Delivery(data) }

  /// Whether it begins a login with what was saved, that asks nobody.
  package var isSilent: Bool { facts(of: LoginStarted.self)?.isInteractive == false }

  /// Which challenge it is about; blank for an event of another family.
  package var challenge: AskedChallenge { AskedChallenge(data) }

  /// The decision about a server's key that it tells of; `nil` for any other event.
  package var trust: TrustDecided? { facts(of: TrustDecided.self) }

  /// Whether it tells that a server's key was refused.
  package var refusesServer: Bool { trust?.verdict == "refused" }

  /// That the session ended by it, with a cause that others have found.
  package func endSentence(_ cause: Sentence) -> Sentence {
    facts(of: SessionEnded.self)?.sentence(self, because: cause)
      ?? "The session ended: " + cause + "."
  }

  /// Whether it tells of a redirect that belongs to no login: older books tell it as a failed
  /// login.
  package var isStrayRedirect: Bool {
    account == nil && session == nil
      && (isKind(.loginFailed)
        || facts(of: ChallengeFailed.self)?.challenge.scheme == "redirect")
  }
}

extension Sentence {
  /// What is said of a redirect that belongs to no login.
  static func strayRedirect(_ failure: Failure, _ event: RecordedEvent) -> Sentence {
    let redirect: Sentence =
      switch (event.isKind(.challengeFailed) ? failure.fault?.name : nil, failure.code) {
      case ("redirect.used", _): "A redirect arrived whose answer had already been used."
      case ("redirect.late", _): "A redirect arrived after its login had ended."
      case (_, .stateMismatch): "A redirect arrived whose state does not belong to any login."
      default: "A redirect arrived that could not be read."
      }
    return redirect + " \(event.author) ignored it, and waiting logins keep waiting."
  }
}
