package import GatebookEvents

/// A record as it was stored, and what the version that wrote it made of it and of damaged ones.
///
/// Shape of a line: the type's name, a blank, what came of each, a blank, the record. What came of
/// them begins with a checksum over all that was written back, in 16 hexadecimal digits, and a
/// colon. A sign follows for the record itself and for each of ``DamagedRecords``, in their order.
package struct RecordLine: Sendable {
  /// What came of reading a record and writing it back.
  package enum Outcome: Character {
    /// It was refused.
    case refused = "-"
    /// The same bytes were written back.
    case same = "="
    /// Others were written back.
    case changed = "~"
  }

  /// The type's name.
  package let type: String
  /// What came of it; `?` where that is still to be found out.
  package let outcomes: String
  /// The record's canonical bytes.
  package let text: String

  /// Reads a line; `nil` for one without three parts.
  package init?(_ line: Substring) {
    let parts = line.split(separator: " " as Character, maxSplits: 2).map(String.init)
    guard parts.count == 3 else { return nil }
    (type, outcomes, text) = (parts[0], parts[1], parts[2])
  }

  /// The line with what comes of it now.
  package func judged(by decode: (Facts) -> Facts?) -> String? {
    Facts(decoding: text.utf8)
      .map { "\(type) \(Self.outcomes(of: Self.cases($0).map(\.record), decode)) \(text)" }
  }

  /// What differs from what is written in the line.
  package func differences(_ decode: (Facts) -> Facts?) -> [String] {
    guard let record = Facts(decoding: text.utf8) else { return ["It is not canonical."] }
    let cases = Self.cases(record)
    let found = Self.outcomes(of: cases.map(\.record), decode)
    guard found != outcomes else { return [] }
    let differing = zip(cases, zip(found, outcomes).dropFirst(17))
      .filter { $0.1.0 != $0.1.1 }.map { "\($0.0.damage): \($0.1.0), not \($0.1.1)" }
    return differing.isEmpty ? ["Something else is written back."] : differing
  }

  private static func cases(_ record: Facts) -> [(damage: String, record: Facts)] {
    [("as it is", record)] + DamagedRecords(of: record).all
  }

  private static func outcomes(of records: [Facts], _ decode: (Facts) -> Facts?) -> String {
    var signs = ""
    var checksum = FNV()
    for record in records {
      let written = decode(record)?.encoded
      let outcome: Outcome =
        if let written { written == record.encoded ? .same : .changed } else { .refused }
      signs.append(outcome.rawValue)
      checksum.add((written ?? []) + [0])
    }
    return "\(checksum.digits):\(signs)"
  }
}

/// FNV-1a with 64 bits.
private struct FNV {
  private var value: UInt64 = 0xcbf2_9ce4_8422_2325

  mutating func add(_ bytes: [UInt8]) {
    for byte in bytes { value = (value ^ UInt64(byte)) &* 0x100_0000_01b3 }
  }

  var digits: String {
    let text = String(value, radix: 16)
    return String(repeating: "0", count: 16 - text.count) + text
  }
}
