import Gatebook

/// An explanation as lines without times, which a test can compare: the answer, the steps, the
/// advice.
struct Told: Equatable, CustomStringConvertible {
  let answer: String
  let steps: [String]
  let advice: Advice
  /// The rules that were followed, which are not compared.
  let rules: [String]

  init(_ explanation: Explanation) {
    answer = Self.words(explanation.answer)
    steps = explanation.steps.map { Self.words($0.sentence) }
    advice = explanation.advice
    rules = explanation.rules
  }

  init(_ answer: String, _ steps: [String], _ advice: Advice) {
    self.answer = answer
    self.steps = steps
    self.advice = advice
    rules = []
  }

  static func == (left: Told, right: Told) -> Bool { left.description == right.description }

  var description: String { ([answer] + steps + ["\(advice)"]).joined(separator: "\n") }

  /// The process is another one each time.
  private static func words(_ sentence: Sentence) -> String {
    sentence.text { _ in "T" }.replacing(/process \d+/, with: "process N")
      .replacing(/instead of [0-9a-f]{8}\./, with: "instead of ID.")
      .replacing(/127\.0\.0\.1:\d+/, with: "127.0.0.1:N")
  }
}
