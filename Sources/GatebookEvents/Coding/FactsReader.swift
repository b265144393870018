/// Reads a record from facts; those that nobody asks for are left alone.
package struct FactsReader: FactsCoder {
  private let facts: Facts
  private var next: FactValue?
  private(set) var isRefused = false

  init(_ facts: Facts) {
    self.facts = facts
  }

  /// Reads a record.
  ///
  /// - Returns: The record, and whether each member that must be there is, and all are what they
  ///   should be.
  static func read<Record: FactsRecord>(
    _ facts: Facts
  ) -> (record: Record, isWhole: Bool) {
    var reader = FactsReader(facts)
    var record = Record.blank
    record.code(with: &reader)
    return (record, !reader.isRefused)
  }

  private mutating func take<Value>(_ read: (FactValue) -> Value?) -> Value? {
    let value = next.flatMap(read)
    if value == nil { refuse() }
    return value
  }

  package mutating func member(_ name: StaticString, isKept: Bool) -> Bool {
    next = facts[name.text]
    return next != nil
  }

  package mutating func value(_ value: inout Int64?) { value = take(\.integer) }

  package mutating func value(_ value: inout Bool?) { value = take(\.bool) }

  package mutating func value(_ value: inout String?) { value = take(\.text) }

  package mutating func value(_ value: inout FactValue?) { value = next }

  package mutating func value<ID: Identity>(_ value: inout ID?) {
    value = take { $0.text.flatMap { ID($0) } }
  }

  package mutating func value<Record: FactsRecord>(_ value: inout Record?) {
    guard let facts = take(\.object) else {
      value = nil
      return
    }
    let inner: (record: Record, isWhole: Bool) = Self.read(facts)
    value = inner.record
    if !inner.isWhole { refuse() }
  }

  package mutating func values<Value>(
    _ values: inout [String: Value], each: (inout FactsReader, inout Value?) -> Void
  ) {
    values = [:]
    guard let facts = take(\.object) else { return }
    for name in facts.names {
      var inner = FactsReader(facts)
      inner.next = facts[name]
      each(&inner, &values[name])
      if inner.isRefused { refuse() }
    }
  }

  package mutating func refuse() { isRefused = true }
}
