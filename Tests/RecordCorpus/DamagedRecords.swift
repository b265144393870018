package import GatebookEvents

/// A record with one thing wrong each: a member that is missing, of another type, empty or unknown.
package struct DamagedRecords: Sendable {
  /// What was done and what came of it.
  package let all: [(damage: String, record: Facts)]

  private static let strange: [FactValue] = [
    .null, true, 7, -1, "x", "", .list([]), .object([:]), .object(["newer": 1]),
  ]

  /// Damages a record in each of its places, nested ones too.
  package init(of record: Facts) {
    all = Self.damages(of: record)
  }

  private static func damages(of record: Facts) -> [(damage: String, record: Facts)] {
    var found: [(damage: String, record: Facts)] = []
    for name in record.names {
      func put(_ damage: String, _ value: FactValue?) {
        var damaged = record
        damaged[name] = value
        found.append(("\(name)\(damage)", damaged))
      }
      put(" removed", nil)
      for (damage, value) in damages(of: record[name] ?? .null) { put(damage, value) }
    }
    var more = record
    more["zzNewer"] = 1
    return found + [("zzNewer = 1", more)]
  }

  private static func damages(of value: FactValue) -> [(damage: String, value: FactValue)] {
    let replaced = strange.map { (" = \(String(decoding: $0.encoded, as: UTF8.self))", $0) }
    switch value {
    case .object(let facts):
      return replaced + damages(of: facts).map { (".\($0.damage)", .object($0.record)) }
    case .list(let values):
      let inner = values.indices.flatMap { index in
        damages(of: values[index]).map { damage, value in
          var damaged = values
          damaged[index] = value
          return ("[\(index)]\(damage)", FactValue.list(damaged))
        }
      }
      return replaced + inner + [(" doubled", .list(values + values))]
    case .null, .bool, .integer, .text: return replaced
    }
  }
}
