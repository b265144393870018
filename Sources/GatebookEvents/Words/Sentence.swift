/// A sentence for people; its times are formatted by the reader.
///
/// ```swift
/// let sentence: Sentence = "It expired at \(expiresAt)."
/// print(sentence.text { "\($0)" })
/// ```
public struct Sentence: Hashable, Sendable, ExpressibleByStringInterpolation {
  /// A piece of it.
  public enum Part: Hashable, Sendable {
    /// Words.
    case words(String)
    /// A moment, to be shown in the reader's zone and language.
    case time(Timestamp)
  }

  /// The pieces in their order.
  public private(set) var parts: [Part] = []

  /// Makes a sentence of words only.
  public init(stringLiteral value: String) {
    parts = [.words(value)]
  }

  /// Makes a sentence from an interpolated literal.
  public init(stringInterpolation: Interpolation) {
    parts = stringInterpolation.parts
  }

  /// Collects the pieces of a literal.
  public struct Interpolation: StringInterpolationProtocol {
    fileprivate var parts: [Part] = []

    /// Starts with nothing.
    public init(literalCapacity: Int, interpolationCount: Int) {}

    /// Adds words.
    public mutating func appendLiteral(_ literal: String) {
      if !literal.isEmpty { parts.append(.words(literal)) }
    }

    /// Adds words.
    public mutating func appendInterpolation(_ words: String) { appendLiteral(words) }

    /// Adds a number.
    public mutating func appendInterpolation(_ number: Int64) { appendLiteral(String(number)) }

    /// Adds a moment.
    public mutating func appendInterpolation(_ time: Timestamp) { parts.append(.time(time)) }
  }

  /// The whole sentence.
  ///
  /// - Parameter time: How a moment is shown.
  /// - Returns: Plain text.
  public func text(_ time: (Timestamp) -> String) -> String {
    parts.map { part in
      switch part {
      case .words(let words): words
      case .time(let moment): time(moment)
      }
    }.joined()
  }

  /// Joins two sentences, or a sentence and its rest.
  package static func + (left: Sentence, right: Sentence) -> Sentence {
    var sum = left
    sum.parts += right.parts
    return sum
  }
}

extension String {
  /// The second half of a sentence as a sentence of its own.
  package var asSentence: String { prefix(1).uppercased() + dropFirst() + "." }

  /// The text, or a question mark where an event does not have it.
  var orUnknown: String { isEmpty ? "?" : self }

  /// The text; `nil` where an event does not have it.
  package var known: String? { isEmpty ? nil : self }

  /// A scope inside a sentence: ` for “mail”`; empty for none.
  static func quotedScope(_ scope: String?) -> String {
    guard let scope, !scope.isEmpty else { return "" }
    return " for “\(scope)”"
  }

  /// The text cut to at most so many bytes of UTF-8, between characters.
  package func cut(to limit: Int) -> String {
    guard utf8.count > limit else { return self }
    var text = String(prefix(limit))
    while text.utf8.count > limit { text.removeLast() }
    return text
  }
}
