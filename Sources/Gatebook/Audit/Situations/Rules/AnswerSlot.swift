/// A part of the answer of `why`, with its ordered rules.
///
/// The first rule of ``usability`` that applies also says which other slots follow, in which order.
/// Of the other slots, the ones that exclude each other say one sentence, the rest say all that
/// apply.
enum AnswerSlot: CaseIterable, Sendable {
  /// What must be known before all else, such as a server that is not trusted.
  case warnings
  /// Whether the session can be used, or how it ended.
  case usability
  /// When the server last confirmed it.
  case confirmation
  /// How long it is valid.
  case life
  /// What else is known of it.
  case asides
  /// What is still to be delivered to a server, and by which process.
  case delivery
  /// Which renewal or login has no recorded end.
  case work
  /// Whether anything can be recorded.
  case disk

  /// Its rules, in their order.
  var rules: [SituationRule<Sentence>] {
    switch self {
    case .warnings: Self.warningRules
    case .usability: Self.usabilityRules
    case .confirmation: Self.confirmationRules
    case .life: Self.lifeRules
    case .asides: Self.asideRules
    case .delivery: Self.deliveryRules
    case .work: Self.workRules
    case .disk: Self.diskRules
    }
  }

  /// Whether all rules that apply say their sentence, and not the first one only.
  private var saysAll: Bool { [.warnings, .asides, .delivery].contains(self) }

  /// The sentences of the rules that apply, with their rules.
  fileprivate func said(
    of situation: AccountSituation
  ) -> [(rule: SituationRule<Sentence>, sentence: Sentence)] {
    var said: [(rule: SituationRule<Sentence>, sentence: Sentence)] = []
    for rule in rules {
      guard let sentence = rule.conclusion(situation) else { continue }
      said.append((rule, sentence))
      if !saysAll { break }
    }
    return said
  }
}

extension AccountSituation {
  /// The state in one or two sentences, and the names of the rules that made them.
  var answer: (sentence: Sentence, rules: [String]) {
    let usability = AnswerSlot.usability.said(of: self)
    let slots = [.warnings] + (usability.first?.rule.then ?? []) + [.disk]
    let others = slots.map { $0.said(of: self) }
    let said = (others.first ?? []) + usability + others.dropFirst().joined()
    return (said.reduce("") { $0 + $1.sentence }, said.map(\.rule.name))
  }
}

// MARK: The rules that belong to no other slot's file

extension AnswerSlot {
  private static let warningRules: [SituationRule<Sentence>] = [
    SituationRule("scopes lost") { situation in
      situation.lostScopes.map { lost in
        "The session has fewer permissions than before: since \(lost.since) the server no longer grants "
          + "\(lost.names.joined(separator: ", ")). "
      }
    },
    SituationRule("server not trusted") { $0.distrust },
  ]

  private static let diskRules: [SituationRule<Sentence>] = [
    SituationRule(
      "disk full", when: \.isDiskFull,
      " The disk of the book is full: nothing can be recorded.")
  ]

  private static let confirmationRules: [SituationRule<Sentence>] = [
    SituationRule("confirmed") { situation in
      situation.context.lastVerified.map { at in
        " Its last login, renewal or check succeeded at \(at)."
      }
    }
  ]
}
