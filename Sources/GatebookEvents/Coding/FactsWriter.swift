/// Writes a record as facts.
package struct FactsWriter: FactsCoder {
  private(set) var facts = Facts(reserving: 12)
  private var name = ""

  init() {}

  /// Writes a record.
  static func write(_ record: some FactsRecord) -> Facts {
    var writer = FactsWriter()
    var record = record
    record.code(with: &writer)
    return writer.facts
  }

  private mutating func put(_ value: FactValue?) {
    guard let value else { return }
    // Most members are written in order.
    if !facts.add(name, value) { facts[name] = value }
  }

  package mutating func member(_ name: StaticString, isKept: Bool) -> Bool {
    if isKept { self.name = name.text }
    return isKept
  }

  package mutating func value(_ value: inout Int64?) { put(value.map(FactValue.integer)) }

  package mutating func value(_ value: inout Bool?) { put(value.map(FactValue.bool)) }

  package mutating func value(_ value: inout String?) { put(value.map(FactValue.text)) }

  package mutating func value(_ value: inout FactValue?) { put(value) }

  package mutating func value(_ value: inout (some Identity)?) {
    put(value.map { .text($0.description) })
  }

  package mutating func value(_ value: inout (some FactsRecord)?) {
    if let value { put(.object(Self.write(value))) }
  }

  package mutating func values<Value>(
    _ values: inout [String: Value], each: (inout FactsWriter, inout Value?) -> Void
  ) {
    var inner = FactsWriter()
    for (name, kept) in values {
      inner.name = name
      var value: Value? = kept
      each(&inner, &value)
    }
    put(.object(inner.facts))
  }

  package func refuse() {}
}

extension StaticString {
  /// The name as a text.
  var text: String {
    String(
      decoding: UnsafeBufferPointer(start: utf8Start, count: utf8CodeUnitCount), as: UTF8.self)
  }
}
