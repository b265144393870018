internal import GatebookAuthentication
internal import GatebookEvents

/// What servers publish for everybody, such as their keys, and when it may be asked for again.
///
/// It is the same for all who trust the same servers: accounts and programs that need it share one
/// answer. The book's file has it for all programs; this is what the file may not have, because it
/// could not be written.
struct PublishedDocuments {
  /// Who is asked, and whom the answer is taken from: what one account has accepted speaks for no
  /// other one.
  struct Line: Hashable {
    let url: HTTPURL
    let trust: Trust

    /// What tells it from others.
    var parts: [String] {
      [url.description, String(decoding: trust.record.encoded, as: UTF8.self)]
    }
  }

  /// What is known of a document.
  struct Known {
    /// When it was last asked for because what was known did not do.
    var demanded: Timestamp?
    /// The newest answer.
    var answer: KeptAnswer?
    /// Until when the answer serves without asking.
    var fresh: Timestamp?
    /// When the last demand was made, if it came to nothing.
    var vain: Timestamp?
  }

  /// What becomes of a request.
  enum Passage {
    /// It may go.
    case go
    /// This answer will do.
    case recalled(HTTPReply)
    /// Another one is on its way; `limit` says how long to wait for it at most, where nobody can
    /// tell whether it still is.
    case wait(limit: Duration?)
    /// It comes too early, and the one before it brought nothing.
    case refused
  }

  private var known: [Line: Known] = [:]
  /// The demands of this process that are on their way.
  private var underWay: Set<Line> = []

  /// Judges a request.
  ///
  /// - Parameters:
  ///   - line: Its line.
  ///   - recall: When a known answer will do.
  ///   - stored: What the book's file knows.
  ///   - now: The time.
  /// - Returns: What becomes of it.
  func judge(_ line: Line, _ recall: Recall, stored: Known, at now: Timestamp) -> Passage {
    let known = whole(line, stored)
    switch recall {
    case .never: return .go
    case .always: return known.answer.map { .recalled($0.recalled) } ?? .refused
    case .whileFresh:
      guard let answer = known.answer, let fresh = known.fresh, answer.asked <= now, now < fresh
      else { return .go }
      return .recalled(answer.recalled)
    case .within(let spacing):
      guard !underWay.contains(line) else { return .wait(limit: nil) }
      guard let demanded = known.demanded, demanded <= now, now < demanded + spacing else {
        return .go
      }
      if let answer = known.answer, answer.asked >= demanded { return .recalled(answer.recalled) }
      // The one who asked may be another program, which may be gone.
      return known.vain == demanded ? .refused : .wait(limit: Self.patience)
    }
  }

  private static let patience = Duration.seconds(5)

  /// What the file and this process know together.
  private func whole(_ line: Line, _ stored: Known) -> Known {
    guard let own = known[line] else { return stored }
    var whole = stored
    if let demanded = own.demanded { whole.demanded = max(demanded, stored.demanded ?? demanded) }
    if let vain = own.vain { whole.vain = max(vain, stored.vain ?? vain) }
    if let answer = own.answer, stored.answer.map({ $0.asked < answer.asked }) ?? true {
      whole.answer = answer
      whole.fresh = own.fresh
    }
    return whole
  }

  /// Takes the beginning of a demand.
  mutating func begin(_ line: Line, at now: Timestamp) {
    underWay.insert(line)
    known[line, default: Known()].demanded = now
  }

  /// Whether a demand is the one that was begun at a moment.
  func isDemanded(_ line: Line, at moment: Timestamp) -> Bool {
    known[line]?.demanded == moment
  }

  /// Takes the end of a request.
  ///
  /// - Parameters:
  ///   - line: Its line.
  ///   - asked: When it was let go.
  ///   - answer: The answer, where the book's file could not take it.
  ///   - isAnswered: Whether there is an answer for others.
  ///   - isOpen: Whether anybody may ask again at once: the server was not asked at all, or its
  ///     answer is of no use to others.
  mutating func end(
    _ line: Line, _ asked: Timestamp, unwritten answer: KeptAnswer?, isAnswered: Bool, isOpen: Bool
  ) {
    if let answer, known[line]?.answer.map({ $0.asked <= answer.asked }) ?? true {
      known[line, default: Known()].answer = answer
      known[line]?.fresh = answer.fresh
    }
    guard known[line]?.demanded == asked else { return }
    underWay.remove(line)
    if isOpen {
      known[line]?.demanded = nil
    } else if !isAnswered {
      known[line]?.vain = asked
    }
  }

  /// Has each document be asked for before it is used again.
  mutating func outdate() {
    for line in known.keys { known[line]?.fresh = nil }
  }
}
