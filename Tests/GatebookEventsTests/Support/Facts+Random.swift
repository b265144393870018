import GatebookEvents
import GatebookTestSupport

extension Facts {
  /// A tree of facts of all kinds, with names and texts that are hard to order and to escape.
  static func random(_ random: inout SplitMix, depth: Int = 0) -> Facts {
    var facts = Facts()
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      facts[text(&random)] = value(&random, depth: depth + 1)
    }
    return facts
  }

  private static func value(_ random: inout SplitMix, depth: Int) -> FactValue {
    switch Int.random(in: 0...(depth < 6 ? 6 : 4), using: &random) {
    case 0: return .null
    case 1: return .bool(Bool.random(using: &random))
    case 2: return .integer(Int64.random(in: .min ... .max, using: &random))
    case 3: return .integer(Int64.random(in: -9...9, using: &random))
    case 4: return .text(text(&random))
    case 5: return .object(.random(&random, depth: depth))
    default:
      let count = Int.random(in: 0...4, using: &random)
      return .list((0..<count).map { _ in value(&random, depth: depth + 1) })
    }
  }

  static func text(_ random: inout SplitMix) -> String {
    var text = ""
    for _ in 0..<Int.random(in: 0...8, using: &random) {
      text.unicodeScalars.append(scalar(&random))
    }
    return text
  }

  private static func scalar(_ random: inout SplitMix) -> Unicode.Scalar {
    let special: [Unicode.Scalar] = ["\"", "\\", "/", "\n", "\u{0}", "\u{1F}", "\u{7F}", "é", "😀"]
    switch Int.random(in: 0...2, using: &random) {
    case 0: return special.randomElement(using: &random) ?? "?"
    case 1: return Unicode.Scalar(UInt8.random(in: 0x61...0x66, using: &random))
    default: return Unicode.Scalar(UInt32.random(in: 0...0x10_FFFF, using: &random)) ?? "\u{301}"
    }
  }
}
