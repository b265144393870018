/// Writes the members of a record, or reads them: a value that is kept nowhere is `nil`.
///
/// One list of members serves both ways, for events, projection rows and secrets.
package protocol FactsCoder {
  /// Whether it is there for everything; the folds leave out what they do not need.
  var hasDetails: Bool { get }

  /// Goes to a member.
  ///
  /// - Parameters:
  ///   - name: Its name; in a row it comes after that of the member before it.
  ///   - isKept: Whether the value in hand has one.
  /// - Returns: Whether its value is next.
  mutating func member(_ name: StaticString, isKept: Bool) -> Bool

  mutating func value(_ value: inout Int64?)
  mutating func value(_ value: inout Bool?)
  mutating func value(_ value: inout String?)
  mutating func value(_ value: inout (some Identity)?)
  mutating func value(_ value: inout FactValue?)
  mutating func value(_ value: inout (some FactsRecord)?)

  /// Members whose names are not known before.
  mutating func values<Value>(
    _ values: inout [String: Value], each: (inout Self, inout Value?) -> Void)

  /// What was read makes no value.
  mutating func refuse()
}

extension FactsCoder {
  package var hasDetails: Bool { true }

  package mutating func code(_ name: StaticString, _ value: inout Int64?) {
    if member(name, isKept: value != nil) { self.value(&value) } else { value = nil }
  }

  package mutating func code(_ name: StaticString, _ value: inout Bool?) {
    if member(name, isKept: value != nil) { self.value(&value) } else { value = nil }
  }

  package mutating func code(_ name: StaticString, _ value: inout String?) {
    if member(name, isKept: value != nil) { self.value(&value) } else { value = nil }
  }

  package mutating func code(_ name: StaticString, _ value: inout (some Identity)?) {
    if member(name, isKept: value != nil) { self.value(&value) } else { value = nil }
  }

  package mutating func code(_ name: StaticString, _ value: inout (some FactsRecord)?) {
    if member(name, isKept: value != nil) { self.value(&value) } else { value = nil }
  }

  package mutating func code(_ name: StaticString, _ value: inout Position?) {
    var number = value?.rawValue
    code(name, &number)
    value = number.map(Position.init(rawValue:))
  }

  package mutating func code(_ name: StaticString, _ value: inout Timestamp?) {
    var number = value?.rawValue
    code(name, &number)
    value = number.map(Timestamp.init(rawValue:))
  }

  package mutating func code(_ name: StaticString, _ value: inout FactValue?) {
    if member(name, isKept: value != nil) { self.value(&value) } else { value = nil }
  }

  package mutating func code(_ name: StaticString, _ value: inout [String]?) {
    var list = value.map { FactValue.list($0.map { .text($0) }) }
    code(name, &list)
    value = list?.list?.compactMap(\.text)
  }

  package mutating func code(_ name: StaticString, _ value: inout Duration?) {
    var number = value?.microseconds
    code(name, &number)
    value = number.map { .microseconds($0) }
  }

  package mutating func code(_ name: StaticString, _ value: inout BootID?) {
    var text = value?.description
    code(name, &text)
    value = text.flatMap { BootID($0) }
    if text != nil, value == nil { refuse() }
  }

  package mutating func code(_ name: StaticString, _ value: inout FailureCode?) {
    var text = value?.rawValue
    code(name, &text)
    value = text.map(FailureCode.init(rawValue:))
  }

  package mutating func code(_ name: StaticString, _ value: inout Fault?) {
    var text = value?.name
    code(name, &text)
    value = text.map { Fault($0) }
  }

  package mutating func code(_ name: StaticString, _ value: inout EndReason?) {
    var text = value?.rawValue
    code(name, &text)
    // A newer Gatebook may know more; where the state needs one, it refuses.
    value = text.flatMap(EndReason.init)
  }

  package mutating func code(_ name: StaticString, _ value: inout [String: Position]) {
    guard member(name, isKept: !value.isEmpty) else { return }
    values(&value) { row, position in
      var number = position?.rawValue
      row.value(&number)
      position = number.map(Position.init(rawValue:))
    }
  }

  package mutating func code<Record: FactsRecord>(
    _ name: StaticString, _ value: inout [String: Record]
  ) {
    guard member(name, isKept: !value.isEmpty) else { return }
    values(&value) { row, record in row.value(&record) }
  }

  /// A member that is always there.
  package mutating func code(_ name: StaticString, _ value: inout Int64) {
    var kept: Int64? = value
    code(name, &kept)
    if let kept { value = kept } else { refuse() }
  }

  /// A member that is always there.
  package mutating func code(_ name: StaticString, _ value: inout Bool) {
    var kept: Bool? = value
    code(name, &kept)
    if let kept { value = kept } else { refuse() }
  }

  /// A member that is always there.
  package mutating func code(_ name: StaticString, _ value: inout String) {
    var kept: String? = value
    code(name, &kept)
    if let kept { value = kept } else { refuse() }
  }

  /// A member that is always there.
  package mutating func code<ID: Identity>(_ name: StaticString, _ value: inout ID) {
    var kept: ID? = value
    code(name, &kept)
    if let kept { value = kept } else { refuse() }
  }

  /// A member that is always there.
  package mutating func code(_ name: StaticString, _ value: inout [String]) {
    var kept: [String]? = value
    code(name, &kept)
    if let kept { value = kept } else { refuse() }
  }

  /// A member that is always there.
  package mutating func code(_ name: StaticString, _ value: inout EndReason) {
    var kept: EndReason? = value
    code(name, &kept)
    if let kept { value = kept } else { refuse() }
  }

  /// A member that is always there.
  package mutating func code(_ name: StaticString, _ value: inout Position) {
    var kept = value.rawValue
    code(name, &kept)
    value = Position(rawValue: kept)
  }

  /// A member that is always there.
  package mutating func code(_ name: StaticString, _ value: inout Timestamp) {
    var kept = value.rawValue
    code(name, &kept)
    value = Timestamp(rawValue: kept)
  }

  /// A member that is left out for the usual value.
  package mutating func code(_ name: StaticString, _ value: inout Int64, unless usual: Int64) {
    var kept: Int64? = value == usual ? nil : value
    code(name, &kept)
    value = kept ?? usual
  }

  /// A member that is left out for the usual value.
  package mutating func code(_ name: StaticString, _ value: inout Bool, unless usual: Bool) {
    var kept: Bool? = value == usual ? nil : value
    code(name, &kept)
    value = kept ?? usual
  }
}

/// A value of the folds that is kept: as canonical JSON in a projection, packed in a snapshot of
/// the past.
///
/// One list of its members says how it is written and how it is read, and nothing is built in
/// between: every append writes such rows, and a look into the past reads one.
package protocol FactsRecord {
  /// What reading begins with: whatever is not optional is set before anybody sees it.
  static var blank: Self { get }

  /// Names the members in ascending order of their names.
  mutating func code(with row: inout some FactsCoder)
}

/// A record of a projection: its row holds canonical JSON, and a snapshot of the past holds it
/// packed.
package protocol FoldedRow: FactsRecord {}

extension FoldedRow {
  /// The record as a projection's row holds it.
  package var encoded: [UInt8] { RowWriter.encode(self) }

  /// The record as a snapshot of the past holds it.
  package var packed: [UInt8] { PackedRowWriter.encode(self) }

  /// Reads what `encoded` wrote; `nil` for anything else.
  package init?(decoding bytes: UnsafeRawBufferPointer) {
    guard let record: Self = RowReader.decode(bytes) else { return nil }
    self = record
  }

  /// Reads what `packed` wrote; `nil` for anything else.
  package init?(packed bytes: UnsafeRawBufferPointer) {
    guard let record: Self = PackedRowReader.decode(bytes) else { return nil }
    self = record
  }
}
