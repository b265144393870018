/// A value that one fact holds: a plain one, or what is made of one.
package protocol Storable {
  /// What it is stored as.
  associatedtype Record: PlainFact

  /// Reads what `record` wrote; `nil` for anything else.
  init?(record: Record)

  /// The value as it is stored, secrets included.
  var record: Record { get }

  /// Writes a member of a record, or reads it: `nil` for one that cannot be read.
  static func code(_ value: inout Self?, with coder: inout some FactsCoder)
}

extension Storable {
  /// Reads a fact; `nil` for one of another kind, or that cannot be read.
  package init?(fact: FactValue) {
    guard let record = Record.plain(fact) else { return nil }
    self.init(record: record)
  }

  /// The value as a fact.
  package var fact: FactValue { record.fact }

  @inline(__always)
  package static func code(_ value: inout Self?, with coder: inout some FactsCoder) {
    var record = value?.record
    Record.code(&record, with: &coder)
    value = record.flatMap(Self.init(record:))
  }
}

/// A value that is stored as its description.
package protocol StoredText: Storable, CustomStringConvertible where Record == String {
  init?(_ text: String)
}

extension StoredText {
  package init?(record: String) { self.init(record) }
  package var record: String { description }
}

extension StoredText where Self: Identity {
  @inline(__always)
  package static func code(_ value: inout Self?, with coder: inout some FactsCoder) {
    coder.value(&value)
  }
}

extension RawRepresentable where Self: Storable, RawValue: PlainFact {
  package init?(record: RawValue) { self.init(rawValue: record) }
  package var record: RawValue { rawValue }
}

extension Position: Storable {}
extension Timestamp: Storable {}
extension FailureCode: Storable {}
/// A newer Gatebook may know more of them; where a record needs one, it refuses.
extension EndReason: Storable {}
extension AccountID: StoredText {}
extension CopyID: StoredText {}
extension FlowID: StoredText {}
extension SessionID: StoredText {}

extension Fault: Storable {
  package init?(record: String) { self.init(record) }
  package var record: String { name }
}

extension BootID: StoredText {
  @inline(__always)
  package static func code(_ value: inout BootID?, with coder: inout some FactsCoder) {
    var text = value?.description
    coder.value(&text)
    value = text.flatMap { BootID($0) }
    if text != nil, value == nil { coder.refuse() }
  }
}

extension Duration: Storable {
  package init?(record: Int64) { self = .microseconds(record) }
  package var record: Int64 { microseconds }
}

/// The first number and the last one.
extension ClosedRange: Storable where Bound == Int64 {
  package init?(record: [FactValue]) {
    let ends = record.compactMap(\.integer)
    guard ends.count == 2, ends[0] <= ends[1] else { return nil }
    self = ends[0]...ends[1]
  }

  package var record: [FactValue] { [.integer(lowerBound), .integer(upperBound)] }
}

/// Values that cannot be read are left out.
extension Array: Storable where Element: Storable {
  package init?(record: [FactValue]) { self = record.compactMap(Element.init(fact:)) }
  package var record: [FactValue] { map(\.fact) }
}

/// In ascending order; values that cannot be read are left out.
extension Set: Storable where Element: Storable & Comparable {
  package init?(record: [FactValue]) { self.init(record.compactMap(Element.init(fact:))) }
  package var record: [FactValue] { sorted().map(\.fact) }
}

/// Values that cannot be read are left out.
extension Dictionary: Storable where Key == String, Value: Storable {
  package init?(record: Facts) {
    self.init()
    for name in record.names { self[name] = record[name].flatMap(Value.init(fact:)) }
  }

  package var record: Facts {
    var facts = Facts()
    for (name, value) in self { facts[name] = value.fact }
    return facts
  }
}
