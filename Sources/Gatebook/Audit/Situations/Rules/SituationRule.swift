/// One rule of `why`: what follows from a situation.
///
/// Rules are rows of tables. ``AnswerSlot`` has those of the answer, `AdviceRules` those of the
/// advice. A test shows that a situation hits each of them.
struct SituationRule<Conclusion>: Sendable {
  /// Its name, unique among all rules.
  let name: String
  /// What follows; `nil` if the rule does not apply.
  let conclusion: @Sendable (AccountSituation) -> Conclusion?
  /// The slots of the answer that follow this rule's sentence.
  let then: [AnswerSlot]

  init(
    _ name: String, when applies: @escaping @Sendable (AccountSituation) -> Bool = { _ in true },
    then: [AnswerSlot] = [], _ conclusion: @escaping @Sendable (AccountSituation) -> Conclusion?
  ) {
    self.name = name
    self.conclusion = { applies($0) ? conclusion($0) : nil }
    self.then = then
  }
}

extension SituationRule where Conclusion: Sendable {
  /// A rule with a fixed conclusion.
  init(
    _ name: String, when applies: @escaping @Sendable (AccountSituation) -> Bool,
    then: [AnswerSlot] = [], _ conclusion: Conclusion
  ) {
    self.init(name, when: applies, then: then) { _ in conclusion }
  }
}
