internal import Gatebook

/// What `gatebook.notice` says about the forgetting of events.
enum ForgettingNotice {
  /// The code of a notice that events were dropped.
  static let done = "fleet.forgotten"
  /// The code of a notice that events were kept, because they do not agree.
  static let refused = "fleet.mismatch"

  /// What is recorded of events that were verified, and then dropped.
  ///
  /// - Parameters:
  ///   - verdict: What was found in the history.
  ///   - last: The last event that is dropped.
  /// - Returns: Sentences.
  static func text(_ verdict: HistoryVerdict, upTo last: Int64) -> String {
    var text = "The fleet forgot the events up to position \(last). "
    if let covered = verdict.covered {
      text +=
        covered.rawValue >= last
        ? "They agreed with a checkpoint of the book's key, which covers \(covered) events."
        : "A checkpoint of the book's key covers only \(covered) of them. The others agreed with the "
          + "roots that were shipped."
    } else {
      text += "They agreed with the roots that were shipped. No checkpoint was signed."
    }
    if verdict.withheld > 0 {
      text +=
        " \(verdict.withheld) events of the history came without encrypted facts, so their content was "
        + "not proven."
    }
    return text
  }

  /// What is recorded of events that were kept.
  ///
  /// - Parameter problems: What is wrong, one sentence each.
  /// - Returns: Sentences.
  static func text(_ problems: [String]) -> String {
    (["`gatebook fleet forget` kept the events of this book, because they do not agree."] + problems)
      .joined(separator: " ")
  }
}
