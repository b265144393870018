internal import Gatebook

/// A line of an export: a literal of the format with values between.
///
/// ```swift
/// try bytes.add(#"{"position":\#(row.position),"data":\#(facts: row)}"#)
/// ```
struct ExportedText: ExpressibleByStringInterpolation {
  /// The bytes of the line.
  let bytes: [UInt8]

  /// A part of the format without values.
  init(stringLiteral value: String) {
    bytes = Array(value.utf8)
  }

  /// The format with its values.
  init(stringInterpolation: Interpolation) {
    bytes = stringInterpolation.bytes
  }

  /// Collects the pieces of a literal.
  struct Interpolation: StringInterpolationProtocol {
    fileprivate var bytes: [UInt8] = []

    init(literalCapacity: Int, interpolationCount: Int) {
      // Room for the facts, too: nearly always nothing has to be moved.
      bytes.reserveCapacity(literalCapacity + 64 * interpolationCount)
    }

    mutating func appendLiteral(_ literal: String) { bytes += literal.utf8 }

    /// Adds an integer in decimal digits; nothing for none.
    mutating func appendInterpolation(_ integer: Int64?) {
      if let integer { CanonicalText.append(integer, to: &bytes) }
    }

    /// Adds a word of the format.
    mutating func appendInterpolation(_ word: StaticString) {
      bytes += UnsafeBufferPointer(start: word.utf8Start, count: word.utf8CodeUnitCount)
    }

    /// Adds bytes as they are.
    mutating func appendInterpolation(_ text: [UInt8]) { bytes += text }

    /// Adds a JSON text without its quotes; nothing for none.
    mutating func appendInterpolation(unquoted text: [UInt8]?) {
      if let text { bytes += text.dropFirst().dropLast() }
    }

    /// Adds an identity as 32 hexadecimal digits.
    mutating func appendInterpolation(_ identity: EventID) {
      bytes.append(addingCapacity: 32) { digits in
        for half in [identity.high, identity.low] {
          for shift in stride(from: 60, through: 0, by: -4) {
            let digit = UInt8(truncatingIfNeeded: half >> UInt64(shift) & 15)
            digits.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
          }
        }
      }
    }

    /// Adds an event's facts as a JSON object.
    ///
    /// - Throws: `storage.damaged` for bytes that no writer writes.
    mutating func appendInterpolation(facts row: EventRow) throws(GatebookError) {
      // Nearly always: nothing has to be read to be written again.
      if CanonicalForm.isPlain(row.data) { return bytes.append(contentsOf: row.data) }
      guard let facts = Facts(decoding: row.data) else {
        throw GatebookError(
          .storageDamaged, "The event at position \(row.position) cannot be read.",
          remedy: "See `gatebook verify`.")
      }
      bytes += JSON(facts).encoded
    }

    /// Adds a member after others, with a value that is JSON; nothing without a value.
    mutating func appendInterpolation(member name: String, _ json: [UInt8]?) {
      guard let json else { return }
      appendLiteral(",\"")
      appendLiteral(name)
      appendLiteral("\":")
      bytes += json
    }
  }
}

extension [UInt8] {
  /// Adds a line, or a part of one.
  mutating func add(_ text: ExportedText) { self += text.bytes }
}

extension EventRow {
  /// The personal facts as JSON, or the word for why they cannot be seen; `nil` where none are.
  var personalJSON: [UInt8]? { personal?.json { JSON($0) }.encoded }
}

/// Writes moments as RFC 3339 does, in UTC with microseconds; those of one second share their text.
struct MomentWriter {
  private var second = Int64.min
  /// The moment before: `2025-11-21T06:29:14.000001Z`.
  private var text: [UInt8] = []

  /// `2025-11-21T06:29:14.000001Z`.
  mutating func text(_ moment: Timestamp) -> [UInt8] {
    let seconds = moment.seconds
    if seconds != second || text.isEmpty {
      second = seconds
      text = Array(TimeText.machine(moment).utf8)
    }
    var rest = moment.microseconds
    // The last digit is before the `Z`.
    for place in (text.count - 7..<text.count - 1).reversed() {
      text[place] = UInt8(ascii: "0") + UInt8(rest % 10)
      rest /= 10
    }
    return text
  }
}
