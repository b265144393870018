extension SessionContext {
  /// The state in one or two sentences.
  ///
  /// - Parameter standing: What else is known.
  /// - Returns: The sentences.
  func answer(_ standing: AccountSituation) -> Sentence {
    lostScopes(standing) + (standing.distrust ?? "") + stateAnswer(standing)
      + (standing.isDiskFull ? " The disk of the book is full: nothing can be recorded." : "")
  }

  /// That the session may do less than before.
  private func lostScopes(_ standing: AccountSituation) -> Sentence {
    guard let (names, since) = standing.lostScopes else { return "" }
    return
      "The session has fewer permissions than before: since \(since) the server no longer grants "
      + "\(names.joined(separator: ", ")). "
  }

  private func stateAnswer(_ standing: AccountSituation) -> Sentence {
    let folded = standing.folded
    let open = Self.open(standing)
    if let loss = standing.kept.loss {
      return loss
        + (lastVerified.map {
          " Its last login, renewal or check succeeded at \($0)."
        } ?? "")
        + asides(standing) + open
    }
    return switch state {
    case _ where isPastOfflineLimit && !standing.needsInsistence: pastLimit(standing) + open
    case .active where standing.needsInsistence: usedUp(standing) + asides(standing) + open
    case .active: use(standing) + confirmation(standing) + asides(standing) + open
    case .offline where standing.needsInsistence: usedUp(standing) + open
    case .offline where standing.isOver && folded.isHeldUp:
      use(standing) + "; it has been offline since \(since)" + confirmation(standing)
        + asides(standing) + open
    case .offline:
      "The session has been used offline since \(since)" + confirmation(standing)
        + asides(standing) + open
    case .challenged: "The account has been waiting for the answer to a challenge since \(since)."
    case .uncertain where folded.unanswered == 0 && folded.intent != nil:
      use(standing) + confirmation(standing) + asides(standing) + open
    case .uncertain where folded.unanswered == 0:
      "The session can be used, but it is not known whether the server still accepts it"
        + confirmation(standing) + asides(standing) + open
    case .uncertain where standing.needsInsistence: usedUp(standing) + open
    case .uncertain where standing.isOver:
      "The session must be renewed before its next use, and the answer to an earlier renewal was lost"
        + confirmation(standing) + asides(standing) + open
    case .uncertain:
      "The session can be used, but the answer to a renewal was lost"
        + confirmation(standing) + asides(standing) + open
    case .needsLogin where standing.isUnanswered:
      "The session ended at \(since): \(EndReason.unknownOutcome). \(standing.saved.sentence)"
        + Self.work(standing) + Self.page(standing) + Self.untold(standing)
    case .needsLogin(let reason):
      end(reason, standing) + Self.work(standing) + Self.page(standing) + Self.untold(standing)
    case .ended(.erased):
      "The account was erased at \(since). Its history is kept; its personal data is gone."
        + Self.work(standing)
    case .ended(let reason):
      Self.beginning(standing, since)
        + (standing.isErasing
          ? "it was being erased. The outcome is not recorded: the erasure is still running, or its process has ended."
          : "\(reason.meaning).")
        + (standing.saved == .none ? "" : " \(standing.saved.sentence)")
        + Self.work(standing) + Self.page(standing) + silence(standing) + Self.delivery(standing)
        + Self.held(standing)
    }
  }

  /// Why the session ended, and what is left of what was saved.
  private func end(_ reason: EndReason, _ standing: AccountSituation) -> Sentence {
    let cause = standing.endCause ?? "\(reason.meaning)"
    let doubt: Sentence =
      standing.areBothRefused
      ? " The server rejected both the token and the saved password: the account may be locked or "
        + "deleted there."
      : ""
    return "The session ended at \(since): " + cause + ". \(standing.saved.sentence)" + doubt
  }

  /// How an ended account's answer begins: its session may have ended before it was logged out.
  private static func beginning(_ standing: AccountSituation, _ since: Timestamp) -> Sentence {
    guard let end = standing.folded.formerEnd else { return "The session ended at \(since): " }
    let cause = standing.endCause ?? "\(end.reason.meaning)"
    return "The session ended at \(end.at): " + cause + ". At \(since) "
  }

  /// What is said where the next use decides.
  private func pastLimit(_ standing: AccountSituation) -> Sentence {
    "The session is past its offline limit: the server has not confirmed it for longer than its login allows. "
      + "It ends at the next use unless the server confirms it."
      + (lastVerified.map { " Its last login, renewal or check succeeded at \($0)." }
        ?? "") + life(standing)
  }

  /// Whether the session can be used: it may have expired or been refused, and its server not to be
  /// asked.
  private func use(_ standing: AccountSituation) -> Sentence {
    guard standing.now != nil, standing.isOver else {
      return state == .active ? "The session is active" : "The session can be used"
    }
    // The process that sent the last renewal may have ended: then the next use sends it once more.
    guard standing.folded.intent == nil else {
      return "The session must be renewed before its next use"
    }
    guard let deferral = standing.folded.deferral
    else { return "The session can be used" }
    if deferral.isHalted { return "The session cannot be used now" }
    guard let until = standing.renewalSilence else {
      return "The session must be renewed before its next use"
    }
    return "The session cannot be used before \(until)"
  }

  /// What is said beside whether it can be used.
  private func asides(_ standing: AccountSituation) -> Sentence {
    unrenewed + refusal(standing) + Self.requests(standing) + Self.closed(standing)
      + Self.page(standing)
      + (standing.folded.outbox.isEmpty
        ? "" : " A server still has to be told that a former session has ended.")
      + Self.delivery(standing) + Self.held(standing)
  }

  /// That the session is still used but cannot be renewed.
  private var unrenewed: Sentence {
    renewalEnd == nil
      ? ""
      : " The server rejected the refresh token, so the session cannot be renewed. It needs a login "
        + "when its access token expires."
  }

  /// What is said of a server that refuses what has not ended.
  private func refusal(_ standing: AccountSituation) -> Sentence {
    guard standing.isRefused, !standing.isOver else { return "" }
    return standing.folded.deferral?.isHalted == true
      ? " Since then the server has refused a request, though others may still succeed. Automatic renewal is off."
      : " Since then the server has refused a request, though others may still succeed. The next request that "
        + "is refused tries again to renew the session."
  }

  /// What is said of requests that the server refused without refusing the session.
  private static func requests(_ standing: AccountSituation) -> Sentence {
    var sentence: Sentence = ""
    if let refusal = standing.refusal {
      sentence =
        sentence
        + " At \(refusal.at) the server refused a request\(refusal.failure.said), but not the session."
    }
    if standing.folded.isQuestioned, let at = standing.folded.refusals["400"]?.at {
      sentence =
        sentence
        + " At \(at) the server answered 400 to a request. The next use asks whether the session is still valid."
    }
    return sentence
  }

  /// That no password opens it without its server.
  private static func closed(_ standing: AccountSituation) -> Sentence {
    guard standing.isClosedOffline else { return "" }
    return
      " Its password can no longer be checked offline, because too many wrong passwords were tried. A "
      + "login with the password at the server allows that again."
  }

  /// Which process works on an automatic renewal or login, or that none does: of an account without
  /// a session.
  private static func work(_ standing: AccountSituation) -> Sentence {
    guard let begun = standing.begun else { return "" }
    guard begun.isHeld == true else {
      // The sentence about saved credentials says it of what is good for one use.
      if !begun.isRenewal, standing.saved == .begun { return "" }
      let name = begun.isRenewal ? "A renewal" : "A login with saved credentials"
      return
        " \(name) was started, and its outcome is not recorded"
        + (begun.isHeld == false ? ". Its process has ended" : "")
        + ". If the request reached the server, the tokens that it granted may still be valid there."
    }
    let work = begun.isRenewal ? "is still renewing it" : "is logging it in with saved credentials"
    return " \(begun.start.author), \(work): \(waiting)."
  }

  /// Which process works on something that the state no longer shows, such as the renewal of a
  /// session that a login has replaced.
  private static func held(_ standing: AccountSituation) -> Sentence {
    guard let holder = standing.lockHolder else { return "" }
    let name = holder.process.map { "Process \($0)" } ?? "A process that cannot be seen from here"
    return
      " \(name) holds the lock that every renewal and login of the account needs: it is working, or it is stopped."
  }

  private static let waiting = "it is waiting for the answer or for the book, or it is stopped"

  /// That a login waits for the user.
  private static func page(_ standing: AccountSituation) -> Sentence {
    if standing.hasOpenLogin {
      return " A login waits for the user; its outcome is not recorded yet."
    }
    return standing.hasUnendedLogin
      ? " A login was started, and its outcome is not recorded: it is still running, or its process has ended."
      : ""
  }

  /// That a former session still has to be told to its server.
  private static func untold(_ standing: AccountSituation) -> Sentence {
    standing.folded.outbox.isEmpty
      ? "" : " The server still has to be told that a session has ended." + delivery(standing)
  }

  /// Which process is telling it, even if that is stopped.
  private static func delivery(_ standing: AccountSituation) -> Sentence {
    guard let deliverer = standing.deliverer, !standing.folded.outbox.isEmpty else { return "" }
    let name =
      deliverer.process.map { "Process \($0)" } ?? "A process that cannot be seen from here"
    return " \(name) is telling the server: \(waiting)."
  }

  private func silence(_ standing: AccountSituation) -> Sentence {
    guard let until = standing.silence else { return "" }
    return " The server still has to be told, and asked not to be contacted before \(until)."
  }

  /// What is said where nothing is left that is sent automatically.
  private func usedUp(_ standing: AccountSituation) -> Sentence {
    (standing.isOver
      ? "The session cannot be used now" : "The session can be used until its access token expires")
      + ". The refresh token may have been sent more than once, and no answer was recorded: it counts as used up."
      + (lastVerified.map {
        " Its last login, renewal or check succeeded at \($0)."
      } ?? "")
      + life(standing)
  }

  private func confirmation(_ standing: AccountSituation) -> Sentence {
    (lastVerified.map { ". Its last login, renewal or check succeeded at \($0)." }
      ?? ".") + life(standing)
  }

  private func life(_ standing: AccountSituation) -> Sentence {
    guard let end = expiresAt else { return "" }
    let key = SessionKey(method: method).map { "Its \($0.name)" } ?? "It"
    let isOverByWall = standing.now.map { $0.wall >= end } == true
    guard standing.isOver else {
      return isOverByWall
        ? " By this machine's clock it expired at \(end), but it is still valid: that clock was changed."
        : " \(key) is valid until \(self.end(standing) ?? end)."
    }
    guard isOverByWall else {
      return
        " \(key) has expired, although this machine's clock has not reached its end, \(end): that clock was changed."
    }
    guard renewsItself, state != .uncertain, !standing.needsInsistence,
      standing.folded.intent == nil
    else {
      return " \(key) expired at \(end)."
    }
    guard let deferral = standing.folded.deferral else {
      return " \(key) expired at \(end): the next use renews it."
    }
    if deferral.isHalted {
      return " \(key) expired at \(end), and automatic renewal is off."
    }
    guard let until = standing.renewalSilence else {
      return " \(key) expired at \(end): the next use tries again to renew it."
    }
    return " \(key) expired at \(end): the first use after \(until) tries again to renew it."
  }

  /// When the session expires, where the wall clock was set back since it was granted.
  private func end(_ standing: AccountSituation) -> Timestamp? {
    guard let now = standing.now, let expiresAt, let left = remainingLife(at: now) else {
      return nil
    }
    let end = now.wall + left
    return LifeClock.isNoticeable(end - expiresAt) ? end : nil
  }

  private static func open(_ standing: AccountSituation) -> Sentence {
    guard standing.folded.intent != nil else {
      return standing.hasOrphanedLogin
        ? " A login with saved credentials was started, and its outcome is not recorded."
        : (standing.begun?.isHeld == true ? work(standing) : "")
    }
    if let holder = standing.begun?.holder {
      return
        " A renewal was started, and its outcome is not recorded. \(holder), holds its lock: \(waiting). Every other "
        + "renewal waits for it."
    }
    return
      " A renewal was started, and its outcome is not recorded: it is still running, or its process has ended. If it has "
      + "ended, the next renewal sends the same request, perhaps for the second time"
      + (standing.isSpentByUse
        ? ": if the server has already used the refresh token, it may refuse it, and the session ends."
        : ".")
  }
}
