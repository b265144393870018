extension AnswerSlot {
  /// What is still to be delivered to a server, and by which process.
  // swift-format-ignore: OnlyOneTrailingClosureArgument
  static let deliveryRules: [SituationRule<Sentence>] = [
    SituationRule(
      "former session untold", when: { $0.context.state.isUsable && $0.owesMessage },
      " A server still has to be told that a former session has ended."),
    SituationRule(
      "session untold", when: { $0.needsLogin && $0.owesMessage },
      " The server still has to be told that a session has ended."),
    SituationRule(
      "delivery later", when: { !$0.context.state.isUsable && !$0.needsLogin }
    ) { situation in
      situation.silence.map { until in
        " The server still has to be told, and asked not to be contacted before \(until)."
      }
    },
    SituationRule("delivery running", when: \.owesMessage) { situation in
      situation.deliverer.map { " \($0.subject) is telling the server: \(waiting)." }
    },
    SituationRule("lock held", when: { !$0.needsLogin }) { situation in
      situation.lockHolder.map {
        " \($0.subject) holds the lock that every renewal and login of the account needs: it is working, "
          + "or it is stopped."
      }
    },
  ]

  /// Which renewal or login has no recorded end.
  // swift-format-ignore: OnlyOneTrailingClosureArgument
  static let workRules: [SituationRule<Sentence>] = [
    SituationRule(
      "saved login orphaned",
      when: { $0.isWithoutIntent && $0.hasOrphanedLogin },
      " A login with saved credentials was started, and its outcome is not recorded."),
    SituationRule("work unended", when: { !$0.context.state.isUsable && !$0.isSaidBySaved }) {
      $0.unheld.map { work in
        let name = work.isRenewal ? "A renewal" : "A login with saved credentials"
        return
          " \(name) was started, and its outcome is not recorded"
          + (work.isHeld == false ? ". Its process has ended" : "")
          + ". If the request reached the server, the tokens that it granted may still be valid there."
      }
    },
    SituationRule("work running", when: { !$0.context.state.isUsable || $0.isWithoutIntent }) {
      $0.held.map { work in
        " \(work.start.author), "
          + (work.isRenewal
            ? "is still renewing it" : "is logging it in with saved credentials") + ": \(waiting)."
      }
    },
    SituationRule("renewal running", when: \.isWithIntent) { situation in
      situation.begun?.holder.map { holder in
        " A renewal was started, and its outcome is not recorded. \(holder), holds its lock: \(waiting). "
          + "Every other renewal waits for it."
      }
    },
    SituationRule(
      "renewal unended, token for one use", when: { $0.isWithIntent && $0.isSpentByUse }
    ) { _ in
      unended
        + ": if the server has already used the refresh token, it may refuse it, and the session ends."
    },
    SituationRule("renewal unended", when: \.isWithIntent) { _ in unended + "." },
  ]

  private static let waiting = "it is waiting for the answer or for the book, or it is stopped"

  private static let unended: Sentence =
    " A renewal was started, and its outcome is not recorded: it is still running, or its process has "
    + "ended. If it has ended, the next renewal sends the same request, perhaps for the second time"
}

extension AccountSituation {
  fileprivate var isWithIntent: Bool { context.state.isUsable && folded.intent != nil }
  fileprivate var isWithoutIntent: Bool { context.state.isUsable && folded.intent == nil }

  fileprivate var held: UnfinishedWork? { begun.flatMap { $0.isHeld == true ? $0 : nil } }
  fileprivate var unheld: UnfinishedWork? { begun.flatMap { $0.isHeld == true ? nil : $0 } }

  /// Whether the sentence about saved credentials already says that a login with them was begun.
  fileprivate var isSaidBySaved: Bool { begun?.isRenewal == false && saved == .begun }
}

extension LockHolder {
  /// It, as the subject of a sentence.
  fileprivate var subject: String {
    process.map { "Process \($0)" } ?? "A process that cannot be seen from here"
  }
}
