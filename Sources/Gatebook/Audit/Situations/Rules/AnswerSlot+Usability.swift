extension AnswerSlot {
  private static let whole: [AnswerSlot] = [.confirmation, .life, .asides, .delivery, .work]
  private static let brief: [AnswerSlot] = [.confirmation, .life, .work]
  private static let ended: [AnswerSlot] = [.work, .asides, .delivery]

  /// Whether the session can be used, or how it ended.
  // swift-format-ignore: OnlyOneTrailingClosureArgument
  static let usabilityRules: [SituationRule<Sentence>] = [
    SituationRule(
      "secret lost", then: [.confirmation, .asides, .delivery, .work]
    ) { $0.kept.loss },
    SituationRule(
      "past offline limit",
      when: { $0.context.isPastOfflineLimit && !$0.needsInsistence }, then: brief,
      "The session is past its offline limit: the server has not confirmed it for longer than its login "
        + "allows. It ends at the next use unless the server confirms it."),
    SituationRule(
      "active, token used up", when: { $0.isActive && $0.needsInsistence }, then: whole
    ) { $0.usedUp },
    SituationRule(
      "token used up", when: { $0.context.state.isUsable && $0.needsInsistence }, then: brief
    ) { $0.usedUp },
    SituationRule(
      "active", when: { $0.isActive && !$0.mustBeRenewed }, then: whole, "The session is active."),
    SituationRule(
      "renewal unanswered, still valid", when: { $0.isRenewing && !$0.mustBeRenewed }, then: whole,
      "The session can be used."),
    SituationRule(
      "renewal unanswered", when: { $0.dependsOnRenewal && $0.mustBeRenewed && $0.hasIntent },
      then: whole
    ) { "The session must be renewed before its next use" + $0.offlineSince },
    SituationRule(
      "to be renewed", when: { $0.dependsOnRenewal && $0.isUndeferred }, then: whole
    ) { "The session can be used" + $0.offlineSince },
    SituationRule(
      "renewal off", when: { $0.dependsOnRenewal && $0.folded.deferral?.isHalted == true },
      then: whole
    ) { "The session cannot be used now" + $0.offlineSince },
    SituationRule("renewal later", when: \.dependsOnRenewal, then: whole) { situation in
      situation.renewalSilence.map {
        "The session cannot be used before \($0)" + situation.offlineSince
      }
    },
    SituationRule("renewal failed", when: \.dependsOnRenewal, then: whole) {
      "The session must be renewed before its next use" + $0.offlineSince
    },
    SituationRule("offline", when: \.isOffline, then: whole) {
      "The session has been used offline since \($0.context.since)."
    },
    SituationRule("challenged", when: { $0.context.state == .challenged }) {
      "The account has been waiting for the answer to a challenge since \($0.context.since)."
    },
    SituationRule(
      "not known whether accepted", when: { $0.isUncertain && $0.folded.unanswered == 0 },
      then: whole,
      "The session can be used, but it is not known whether the server still accepts it."),
    SituationRule(
      "answer lost, expired", when: { $0.isUncertain && $0.isOver }, then: whole,
      "The session must be renewed before its next use, and the answer to an earlier renewal was lost."
    ),
    SituationRule(
      "answer lost", when: \.isUncertain, then: whole,
      "The session can be used, but the answer to a renewal was lost."),
    SituationRule(
      "needs login, unanswered", when: { $0.needsLogin && $0.isUnanswered }, then: ended
    ) {
      "The session ended at \($0.context.since): \(EndReason.unknownOutcome). \($0.saved.sentence)"
    },
    SituationRule("needs login", when: \.needsLogin, then: ended) { situation in
      situation.context.state.reason.map { reason in
        "The session ended at \(situation.context.since): "
          + (situation.endCause ?? "\(reason.meaning)") + ". \(situation.saved.sentence)"
          + (situation.areBothRefused
            ? " The server rejected both the token and the saved password: the account may be locked "
              + "or deleted there."
            : "")
      }
    },
    SituationRule("erased", when: \.isErased, then: [.work]) {
      "The account was erased at \($0.context.since). Its history is kept; its personal data is gone."
    },
    SituationRule("erasing", when: \.isErasing, then: ended) { situation in
      situation.formerEnd
        + "it was being erased. The outcome is not recorded: the erasure is still running, or its process "
        + "has ended." + situation.savedOfEnded
    },
    SituationRule("ended", then: ended) { situation in
      situation.context.state.reason.map { reason in
        situation.formerEnd + "\(reason.meaning)." + situation.savedOfEnded
      }
    },
  ]
}

extension AccountSituation {
  /// Whether the session must be renewed before its next use.
  fileprivate var mustBeRenewed: Bool { now != nil && isOver }

  fileprivate var hasIntent: Bool { folded.intent != nil }

  /// Whether a renewal was sent, and nothing is known of its answer yet.
  fileprivate var isRenewing: Bool { isUncertain && folded.unanswered == 0 && hasIntent }

  /// Whether the renewal decides whether it can be used.
  fileprivate var dependsOnRenewal: Bool {
    isActive || isRenewing || isOffline && isOver && folded.isHeldUp
  }

  /// Whether no failed renewal delays its use.
  fileprivate var isUndeferred: Bool { now == nil || folded.deferral == nil }

  /// The end of a sentence about a session that may have been resumed.
  fileprivate var offlineSince: Sentence {
    isOffline ? "; it has been offline since \(context.since)." : "."
  }

  /// What is said if nothing is left that is sent automatically.
  fileprivate var usedUp: Sentence {
    (isOver
      ? "The session cannot be used now" : "The session can be used until its access token expires")
      + ". The refresh token may have been sent more than once, and no answer was recorded: it counts as "
      + "used up."
  }

  /// How an ended account's answer begins: its session may have ended before it was logged out.
  fileprivate var formerEnd: Sentence {
    guard let end = folded.formerEnd else { return "The session ended at \(context.since): " }
    return
      "The session ended at \(end.at): " + (endCause ?? "\(end.reason.meaning)")
      + ". At \(context.since) "
  }

  fileprivate var savedOfEnded: Sentence { saved == .none ? "" : " \(saved.sentence)" }
}
