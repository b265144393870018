/// What a fact is made of.
package protocol PlainFact {
  /// The value of a fact; `nil` for one of another kind.
  static func plain(_ fact: FactValue) -> Self?

  /// The value as a fact.
  var fact: FactValue { get }

  /// Writes a member of a record, or reads it.
  static func code(_ value: inout Self?, with coder: inout some FactsCoder)
}

extension PlainFact where Self: Storable {
  package init?(record: Self) { self = record }
  package var record: Self { self }

  @inline(__always)
  package static func code(_ value: inout Self?, with coder: inout some FactsCoder) {
    var fact = value?.fact
    coder.value(&fact)
    value = fact.flatMap(plain)
  }
}

extension FactValue: PlainFact, Storable {
  package static func plain(_ fact: FactValue) -> FactValue? { fact }
  package var fact: FactValue { self }

  @inline(__always)
  package static func code(_ value: inout FactValue?, with coder: inout some FactsCoder) {
    coder.value(&value)
  }
}

extension String: PlainFact, Storable {
  package static func plain(_ fact: FactValue) -> String? { fact.text }
  package var fact: FactValue { .text(self) }

  @inline(__always)
  package static func code(_ value: inout String?, with coder: inout some FactsCoder) {
    coder.value(&value)
  }
}

extension Int64: PlainFact, Storable {
  package static func plain(_ fact: FactValue) -> Int64? { fact.integer }
  package var fact: FactValue { .integer(self) }

  @inline(__always)
  package static func code(_ value: inout Int64?, with coder: inout some FactsCoder) {
    coder.value(&value)
  }
}

extension Int: PlainFact, Storable {
  package static func plain(_ fact: FactValue) -> Int? { fact.integer.map { Int($0) } }
  package var fact: FactValue { .integer(Int64(self)) }
}

extension Bool: PlainFact, Storable {
  package static func plain(_ fact: FactValue) -> Bool? { fact.bool }
  package var fact: FactValue { .bool(self) }

  @inline(__always)
  package static func code(_ value: inout Bool?, with coder: inout some FactsCoder) {
    coder.value(&value)
  }
}

extension Facts: PlainFact, Storable {
  package static func plain(_ fact: FactValue) -> Facts? { fact.object }
  package var fact: FactValue { .object(self) }
}

extension [FactValue]: PlainFact {
  package static func plain(_ fact: FactValue) -> [FactValue]? { fact.list }
  package var fact: FactValue { .list(self) }
}
