extension AnswerSlot {
  /// How long the session is valid.
  // swift-format-ignore: OnlyOneTrailingClosureArgument
  static let lifeRules: [SituationRule<Sentence>] = [
    life("clock set forward", when: { !$0.isOver && $0.isOverByWall }) { _, end, _ in
      " By this machine's clock it expired at \(end), but it is still valid: that clock was changed."
    },
    life("valid", when: { !$0.isOver }) { key, end, situation in
      " \(key) is valid until \(situation.endByClocks ?? end)."
    },
    life("clock set back", when: { !$0.isOverByWall }) { key, end, _ in
      " \(key) has expired, although this machine's clock has not reached its end, \(end): that clock "
        + "was changed."
    },
    life("expired", when: { !$0.isRenewedByUse }) { key, end, _ in
      " \(key) expired at \(end)."
    },
    life("expired, next use renews", when: { $0.folded.deferral == nil }) { key, end, _ in
      " \(key) expired at \(end): the next use renews it."
    },
    life("expired, renewal off", when: { $0.folded.deferral?.isHalted == true }) { key, end, _ in
      " \(key) expired at \(end), and automatic renewal is off."
    },
    life("expired, renewal later") { key, end, situation in
      situation.renewalSilence.map {
        " \(key) expired at \(end): the first use after \($0) tries again to renew it."
      }
    },
    life("expired, next use tries") { key, end, _ in
      " \(key) expired at \(end): the next use tries again to renew it."
    },
  ]

  /// What else is known of a session, and of logins that wait.
  // swift-format-ignore: OnlyOneTrailingClosureArgument
  static let asideRules: [SituationRule<Sentence>] = [
    SituationRule(
      "renewal ended", when: { $0.context.state.isUsable && $0.context.renewalEnd != nil },
      " The server rejected the refresh token, so the session cannot be renewed. It needs a login when "
        + "its access token expires."),
    SituationRule(
      "refused, renewal off",
      when: { $0.isRefusedButValid && $0.folded.deferral?.isHalted == true },
      " Since then the server has refused a request, though others may still succeed. Automatic renewal "
        + "is off."),
    SituationRule(
      "refused", when: { $0.isRefusedButValid && $0.folded.deferral?.isHalted != true },
      " Since then the server has refused a request, though others may still succeed. The next request "
        + "that is refused tries again to renew the session."),
    SituationRule("request refused", when: \.context.state.isUsable) { situation in
      situation.refusal.map { refusal in
        " At \(refusal.at) the server refused a request\(refusal.failure.said), but not the session."
      }
    },
    SituationRule(
      "request answered with 400",
      when: { $0.context.state.isUsable && $0.folded.isQuestioned }
    ) { situation in
      situation.folded.refusals["400"].map { refusal in
        " At \(refusal.at) the server answered 400 to a request. The next use asks whether the session is "
          + "still valid."
      }
    },
    SituationRule(
      "offline password blocked", when: { $0.context.state.isUsable && $0.isClosedOffline },
      " Its password can no longer be checked offline, because too many wrong passwords were tried. A "
        + "login with the password at the server allows that again."),
    SituationRule(
      "login waits", when: \.hasOpenLogin,
      " A login waits for the user; its outcome is not recorded yet."),
    SituationRule(
      "login unended", when: { $0.hasUnendedLogin && !$0.hasOpenLogin },
      " A login was started, and its outcome is not recorded: it is still running, or its process has "
        + "ended."),
  ]

  /// A rule about what has an expiry: its sentence gets the name of that, and when it expires.
  private static func life(
    _ name: String, when applies: @escaping @Sendable (AccountSituation) -> Bool = { _ in true },
    _ say: @escaping @Sendable (String, Timestamp, AccountSituation) -> Sentence?
  ) -> SituationRule<Sentence> {
    SituationRule(name, when: applies) { situation in
      situation.context.expiresAt.flatMap { end in
        let key = SessionKey(method: situation.context.method).map { "Its \($0.name)" } ?? "It"
        return say(key, end, situation)
      }
    }
  }
}

extension AccountSituation {
  fileprivate var isOverByWall: Bool {
    guard let now, let end = context.expiresAt else { return false }
    return now.wall >= end
  }

  /// When the session expires, if the wall clock was set back since it was granted.
  fileprivate var endByClocks: Timestamp? {
    guard let now, let expiresAt = context.expiresAt, let left = context.remainingLife(at: now)
    else { return nil }
    let end = now.wall + left
    return LifeClock.isNoticeable(end - expiresAt) ? end : nil
  }

  fileprivate var isRenewedByUse: Bool {
    context.renewsItself && !isUncertain && !needsInsistence && folded.intent == nil
  }

  /// Whether the server has refused a session that has not expired.
  fileprivate var isRefusedButValid: Bool { context.state.isUsable && isRefused && !isOver }
}
