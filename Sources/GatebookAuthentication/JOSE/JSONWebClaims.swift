package import GatebookEvents

/// The claims of a token whose signature was verified (RFC 7519 section 4).
///
/// A claim that is `null` counts as absent.
package struct JSONWebClaims: Hashable, Sendable {
  /// A claim as it was asked for.
  package enum Reading<Value: Sendable>: Sendable {
    /// It is not there.
    case absent
    /// It is of another kind.
    case malformed
    /// Its value.
    case value(Value)
  }

  /// All claims; numbers that are no 64-bit integers are texts here.
  package let facts: Facts
  private let fractions: Set<String>

  /// Reads the content of a token; `nil` if it is no JSON object or has a name twice.
  init?(_ content: [UInt8]) {
    guard let (facts, fractions) = JSONDocument.members(content) else { return nil }
    self.facts = facts
    self.fractions = fractions
  }

  /// A claim that is a text; a number is none.
  package func text(_ name: String) -> Reading<String> {
    reading(name) { fractions.contains(name) ? nil : $0.text }
  }

  /// A claim that is a text or a list of texts, as `aud` is (section 4.1.3).
  package func texts(_ name: String) -> Reading<[String]> {
    reading(name) { value in
      if let text = value.text { return fractions.contains(name) ? nil : [text] }
      guard let list = value.list else { return nil }
      let texts = list.compactMap(\.text)
      return texts.count == list.count ? texts : nil
    }
  }

  /// A claim that is a NumericDate (section 2): a number, also one with a fraction.
  ///
  /// - Parameters:
  ///   - name: The claim.
  ///   - isText: Whether a text of digits, with or without a fraction, counts too.
  /// - Returns: The moment.
  package func moment(_ name: String, isText: Bool = false) -> Reading<Timestamp> {
    reading(name) { value in
      let isDigits =
        isText && value.text?.utf8.allSatisfy { $0.isDigit || $0 == UInt8(ascii: ".") } == true
      return NumericDate.moment(value, isNumber: isDigits || fractions.contains(name))
    }
  }

  private func reading<Value>(
    _ name: String, _ read: (FactValue) -> Value?
  ) -> Reading<Value> {
    guard let value = facts[name], value != .null else { return .absent }
    return read(value).map { .value($0) } ?? .malformed
  }
}

/// Times in tokens: seconds since 1970 UTC, which may have a fraction (RFC 7519 section 2).
enum NumericDate {
  /// The end of the year 9999: what is later is no date, such as one in milliseconds.
  private static let maximum: Int64 = 253_402_300_799

  /// The moment of a claim.
  ///
  /// - Parameters:
  ///   - value: The value as it was read.
  ///   - isNumber: Whether a text stands for a number that is no 64-bit integer.
  /// - Returns: The moment; `nil` for anything but a number from 1970 to 9999.
  static func moment(_ value: FactValue, isNumber: Bool) -> Timestamp? {
    switch value {
    case .integer(let seconds):
      guard (0...maximum).contains(seconds) else { return nil }
      return Timestamp(rawValue: seconds * 1_000_000)
    case .text(let text) where isNumber:
      guard let seconds = Double(text), (0...Double(maximum)).contains(seconds) else { return nil }
      return Timestamp(rawValue: Int64((seconds * 1_000_000).rounded()))
    case .text, .null, .bool, .list, .object: return nil
    }
  }
}

extension String {
  /// Whether both are the same bytes: `==` takes texts for equal that Unicode writes in two ways.
  ///
  /// RFC 7519 section 2, "StringOrURI": "compared as case-sensitive strings with no
  /// transformations or canonicalizations applied."
  func hasSameBytes(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
