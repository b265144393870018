@testable import GatebookEvents

/// The names of a record's members.
struct FactNames: FactsCoder {
  private(set) var names: [String] = []
  let hasDetails: Bool

  static func of<Record: FactsRecord>(
    _ record: Record.Type, hasDetails: Bool = true
  ) -> [String] {
    var list = FactNames(hasDetails: hasDetails)
    var blank = Record.blank
    blank.code(with: &list)
    return list.names.sorted()
  }

  mutating func member(_ name: StaticString, isKept: Bool) -> Bool {
    names.append("\(name)")
    return false
  }

  mutating func value(_ value: inout Int64?) {}
  mutating func value(_ value: inout Bool?) {}
  mutating func value(_ value: inout String?) {}
  mutating func value(_ value: inout FactValue?) {}
  mutating func value(_ value: inout (some Identity)?) {}
  mutating func value(_ value: inout (some FactsRecord)?) {}
  mutating func values<Value>(
    _ values: inout [String: Value], each: (inout FactNames, inout Value?) -> Void
  ) {}
  mutating func refuse() {}
}
