extension SessionContext {
  /// The state in one or two sentences.
  ///
  /// - Parameter standing: What else is known.
  /// - Returns: The sentences.
  func answer(_ standing: Standing) -> Sentence {
    lostScopes(standing) + (standing.distrust ?? "") + stateAnswer(standing)
      + (standing.isDiskFull ? " The disk of the book is full: nothing can be recorded." : "")
  }

  /// That the session may do less than before.
  private func lostScopes(_ standing: Standing) -> Sentence {
    guard let (names, since) = standing.lostScopes else { return "" }
    return
      "The session may do less than before: since \(since) the server no longer grants "
      + "\(names.joined(separator: ", ")). "
  }

  private func stateAnswer(_ standing: Standing) -> Sentence {
    let folded = standing.folded
    let open = Self.open(standing)
    if let loss = standing.kept.loss {
      return loss + (lastVerified.map { " The server last confirmed it at \($0)." } ?? "")
        + asides(standing) + open
    }
    return switch state {
    case _ where isPastOfflineLimit && !standing.needsInsistence: pastLimit(standing) + open
    case .active where standing.needsInsistence: usedUp(standing) + asides(standing) + open
    case .active: use(standing) + confirmation(standing) + asides(standing) + open
    case .offline where standing.needsInsistence: usedUp(standing) + open
    case .offline where standing.isOver && folded.isHeldUp:
      use(standing) + "; it is resumed without its server since \(since)" + confirmation(standing)
        + asides(standing) + open
    case .offline:
      "The account is used without its server since \(since)" + confirmation(standing)
        + asides(standing) + open
    case .challenged: "The account waits for the answer to a challenge since \(since)."
    case .uncertain where folded.unanswered == 0 && folded.intent != nil:
      use(standing) + confirmation(standing) + asides(standing) + open
    case .uncertain where folded.unanswered == 0:
      "The account can be used, but whether its session lives on at the server is not known"
        + confirmation(standing) + asides(standing) + open
    case .uncertain where standing.needsInsistence: usedUp(standing) + open
    case .uncertain where standing.isOver:
      "The account can be used only after a renewal, and one was sent whose answer is not known"
        + confirmation(standing) + asides(standing) + open
    case .uncertain:
      "The account can be used, but a renewal was sent whose answer is not known"
        + confirmation(standing) + asides(standing) + open
    case .needsLogin where standing.isUnanswered:
      "The session ended at \(since): \(EndReason.unknownOutcome). \(standing.saved.sentence)"
        + Self.work(standing) + Self.page(standing) + Self.untold(standing)
    case .needsLogin(let reason):
      end(reason, standing) + Self.work(standing) + Self.page(standing) + Self.untold(standing)
    case .ended(.erased):
      "The account was erased at \(since): its history is kept, its person is forgotten."
        + Self.work(standing)
    case .ended(let reason):
      Self.beginning(standing, since)
        + (standing.isErasing
          ? "it was to be erased. No end of that is recorded: it is under way, or whoever began it is gone."
          : "\(reason.meaning).")
        + (standing.saved == .none ? "" : " \(standing.saved.sentence)")
        + Self.work(standing) + Self.page(standing) + silence(standing) + Self.delivery(standing)
        + Self.held(standing)
    }
  }

  /// Why the session ended, and what is left of what was saved.
  private func end(_ reason: EndReason, _ standing: Standing) -> Sentence {
    let cause = standing.endCause ?? "\(reason.meaning)"
    let doubt: Sentence =
      standing.areBothRefused
      ? " The server refused both the token and the saved password: the account may be locked or deleted there."
      : ""
    return "The session ended at \(since): " + cause + ". \(standing.saved.sentence)" + doubt
  }

  /// How an ended account's answer begins: its session may have ended before it was logged out.
  private static func beginning(_ standing: Standing, _ since: Timestamp) -> Sentence {
    guard let end = standing.folded.formerEnd else { return "The session ended at \(since): " }
    let cause = standing.endCause ?? "\(end.reason.meaning)"
    return "The session ended at \(end.at): " + cause + ". At \(since) "
  }

  /// What is said where the next use decides.
  private func pastLimit(_ standing: Standing) -> Sentence {
    "The session is past its limit: it went without the server's word for longer than its login "
      + "allows. It ends at the next use that the server does not vouch for."
      + (lastVerified.map { " The server last confirmed it at \($0)." } ?? "") + life(standing)
  }

  /// Whether the account can be used: what it has may be over or refused, and its server not to be asked.
  private func use(_ standing: Standing) -> Sentence {
    guard standing.now != nil, standing.isOver else { return "The account can be used" }
    // Whoever sent it last may be gone: then the next use sends it once more.
    guard standing.folded.intent == nil else {
      return "The account can be used only after a renewal"
    }
    guard let deferral = standing.folded.deferral
    else { return "The account can be used" }
    if deferral.isHalted { return "The account cannot be used now" }
    guard let until = standing.renewalSilence else {
      return "The account can be used as soon as its session can be renewed"
    }
    return "The account cannot be used before \(until)"
  }

  /// What is said beside whether it can be used.
  private func asides(_ standing: Standing) -> Sentence {
    unrenewed + refusal(standing) + Self.requests(standing) + Self.closed(standing)
      + Self.page(standing)
      + (standing.folded.outbox.isEmpty
        ? "" : " A server is still to be told what of its former sessions has ended.")
      + Self.delivery(standing) + Self.held(standing)
  }

  /// That the session goes on without being renewed.
  private var unrenewed: Sentence {
    renewalEnd == nil
      ? ""
      : " The server refused the refresh token: the session is not renewed any more, and needs a login "
        + "when its access token is over."
  }

  /// What is said of a server that refuses what has not ended.
  private func refusal(_ standing: Standing) -> Sentence {
    guard standing.isRefused, !standing.isOver else { return "" }
    return standing.folded.deferral?.isHalted == true
      ? " Since then it has refused a request with that, which may still serve others, and nothing renews "
        + "it by itself any more."
      : " Since then it has refused a request with that, which may still serve others: the next one that "
        + "is refused tries again to renew it."
  }

  /// What is said of requests that the server refused without refusing the session.
  private static func requests(_ standing: Standing) -> Sentence {
    var sentence: Sentence = ""
    if let refusal = standing.refusal {
      sentence =
        sentence
        + " At \(refusal.at) the server refused a request\(refusal.said), but not the session."
    }
    if standing.folded.isQuestioned, let at = standing.folded.refusals["400"]?.at {
      sentence =
        sentence
        + " At \(at) the server answered 400 to a request: the next use asks whether the session is valid."
    }
    return sentence
  }

  /// That no password opens it without its server.
  private static func closed(_ standing: Standing) -> Sentence {
    guard standing.isClosedOffline else { return "" }
    return
      " Without its server no password opens it any more: too many were wrong. Only a login by password "
      + "at the server changes that."
  }

  /// Who is at what was begun by itself, or that nobody is any more: of an account without a session.
  private static func work(_ standing: Standing) -> Sentence {
    guard let begun = standing.begun else { return "" }
    guard begun.isHeld == true else {
      // Of what is good for one use it is said already.
      if !begun.isRenewal, standing.saved == .begun { return "" }
      let name = begun.isRenewal ? "A renewal" : "A login with what was saved"
      return
        " \(name) was begun that has no recorded end"
        + (begun.isHeld == false ? ", and nobody is at it any more" : "")
        + ": if it was sent, what the server granted for it may live on there."
    }
    let work = begun.isRenewal ? "is still at a renewal of it" : "logs it in with what was saved"
    return " \(begun.start.author), \(work): \(waiting)."
  }

  /// Who is at something that nothing tells of any more, such as the renewal of a session that a login has
  /// taken the place of.
  private static func held(_ standing: Standing) -> Sentence {
    guard let holder = standing.lockHolder else { return "" }
    let name = holder.process.map { "Process \($0)" } ?? "A process that cannot be seen from here"
    return
      " \(name) holds what every renewal and login of the account waits for: it is at work, or stands still."
  }

  private static let waiting = "it waits for the answer or for the book, or stands still"

  /// That a login waits for the person.
  private static func page(_ standing: Standing) -> Sentence {
    if standing.hasOpenLogin {
      return " A login has begun that waits for the person, and no end of it is recorded."
    }
    return standing.hasUnendedLogin
      ? " A login has begun, and no end of it is recorded: it is under way, or whoever began it is gone."
      : ""
  }

  /// That a former session still has to be told to its server.
  private static func untold(_ standing: Standing) -> Sentence {
    standing.folded.outbox.isEmpty
      ? "" : " The server is still to be told that one has ended." + delivery(standing)
  }

  /// Who is telling it, or stands still over it.
  private static func delivery(_ standing: Standing) -> Sentence {
    guard let deliverer = standing.deliverer, !standing.folded.outbox.isEmpty else { return "" }
    let name =
      deliverer.process.map { "Process \($0)" } ?? "A process that cannot be seen from here"
    return " \(name) is telling what waits for that: \(waiting)."
  }

  private func silence(_ standing: Standing) -> Sentence {
    guard let until = standing.silence else { return "" }
    return " The server is still to be told, and demanded to be left alone until \(until)."
  }

  /// What is said where nothing is left that is sent by itself.
  private func usedUp(_ standing: Standing) -> Sentence {
    (standing.isOver
      ? "The account cannot be used now" : "The account can be used until its end")
      + ": what it is renewed with may have been sent more than once, no answer tells what became of it, and "
      + "it counts as used up."
      + (lastVerified.map { " The server last confirmed the session at \($0)." } ?? "")
      + life(standing)
  }

  private func confirmation(_ standing: Standing) -> Sentence {
    (lastVerified.map { ": the server last confirmed it at \($0)." } ?? ".") + life(standing)
  }

  private func life(_ standing: Standing) -> Sentence {
    guard let end = expiresAt else { return "" }
    let isOverByWall = standing.now.map { $0.wall >= end } == true
    guard standing.isOver else {
      return isOverByWall
        ? " What it has lives on, though by this machine's clock it ended at \(end): that clock is not what "
          + "counts."
        : " What it has lives until \(self.end(standing) ?? end)."
    }
    guard isOverByWall else {
      return
        " What it had is over, though by this machine's clock it ends at \(end): that clock is not what "
        + "counts."
    }
    guard renewsItself, state != .uncertain, !standing.needsInsistence,
      standing.folded.intent == nil
    else {
      return " What it had ended at \(end)."
    }
    guard let deferral = standing.folded.deferral else {
      return " What it had ended at \(end): the next use renews it."
    }
    if deferral.isHalted {
      return " What it had ended at \(end), and nothing renews it by itself any more."
    }
    guard let until = standing.renewalSilence else {
      return " What it had ended at \(end): the next use tries again to renew it."
    }
    return " What it had ended at \(end): the first use after \(until) tries again to renew it."
  }

  /// When what it has ends, where the wall clock was set back since it was granted.
  private func end(_ standing: Standing) -> Timestamp? {
    guard let now = standing.now, let expiresAt, let left = remainingLife(at: now) else {
      return nil
    }
    let end = now.wall + left
    return LifeClock.isNoticeable(end - expiresAt) ? end : nil
  }

  private static func open(_ standing: Standing) -> Sentence {
    guard standing.folded.intent != nil else {
      return standing.hasOrphanedLogin
        ? " A login with what was saved was begun that has no recorded end."
        : (standing.begun?.isHeld == true ? work(standing) : "")
    }
    if let holder = standing.begun?.holder {
      return
        " A renewal was begun that has no recorded end. \(holder), holds its lock: \(waiting), and every other "
        + "renewal waits for it."
    }
    return
      " A renewal was begun that has no recorded end: it is under way, or the process that began it "
      + "is gone. In that case the next use that renews sends the same, perhaps once more"
      + (standing.isSpentByUse
        ? ": where the server had taken it already, it may refuse it now, and the session ends."
        : ".")
  }
}
