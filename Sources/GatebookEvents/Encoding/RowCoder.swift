/// Writes the members of a row, or reads them: a value that is kept nowhere is `nil`.
protocol RowCoder {
  /// Goes to a member.
  ///
  /// - Parameters:
  ///   - name: Its name, behind that of the member before it.
  ///   - isKept: Whether the value in hand has one.
  /// - Returns: Whether its value is next.
  mutating func member(_ name: StaticString, isKept: Bool) -> Bool

  mutating func value(_ value: inout Int64?)
  mutating func value(_ value: inout Bool?)
  mutating func value(_ value: inout String?)
  mutating func value(_ value: inout (some Identity)?)
  mutating func value(_ value: inout (some RowRecord)?)

  /// Members whose names are not known before.
  mutating func values<Value>(
    _ values: inout [String: Value], each: (inout Self, inout Value?) -> Void)

  /// What was read makes no value.
  mutating func refuse()
}

extension RowCoder {
  mutating func code(_ name: StaticString, _ value: inout Int64?) {
    if member(name, isKept: value != nil) { self.value(&value) } else { value = nil }
  }

  mutating func code(_ name: StaticString, _ value: inout Bool?) {
    if member(name, isKept: value != nil) { self.value(&value) } else { value = nil }
  }

  mutating func code(_ name: StaticString, _ value: inout String?) {
    if member(name, isKept: value != nil) { self.value(&value) } else { value = nil }
  }

  mutating func code(_ name: StaticString, _ value: inout (some Identity)?) {
    if member(name, isKept: value != nil) { self.value(&value) } else { value = nil }
  }

  mutating func code(_ name: StaticString, _ value: inout (some RowRecord)?) {
    if member(name, isKept: value != nil) { self.value(&value) } else { value = nil }
  }

  mutating func code(_ name: StaticString, _ value: inout Position?) {
    var number = value?.rawValue
    code(name, &number)
    value = number.map(Position.init(rawValue:))
  }

  mutating func code(_ name: StaticString, _ value: inout Timestamp?) {
    var number = value?.rawValue
    code(name, &number)
    value = number.map(Timestamp.init(rawValue:))
  }

  mutating func code(_ name: StaticString, _ value: inout BootID?) {
    var text = value?.description
    code(name, &text)
    value = text.flatMap { BootID($0) }
    if text != nil, value == nil { refuse() }
  }

  mutating func code(_ name: StaticString, _ value: inout EndReason?) {
    var text = value?.rawValue
    code(name, &text)
    // A newer Gatebook may know more; where the state needs one, it refuses.
    value = text.flatMap(EndReason.init)
  }

  mutating func code(_ name: StaticString, _ value: inout [String: Position]) {
    guard member(name, isKept: !value.isEmpty) else { return }
    values(&value) { row, position in
      var number = position?.rawValue
      row.value(&number)
      position = number.map(Position.init(rawValue:))
    }
  }

  mutating func code<Record: RowRecord>(_ name: StaticString, _ value: inout [String: Record]) {
    guard member(name, isKept: !value.isEmpty) else { return }
    values(&value) { row, record in row.value(&record) }
  }
}

extension RowCoder {
  /// A member that is always there.
  mutating func code(_ name: StaticString, _ value: inout Int64) {
    var kept: Int64? = value
    code(name, &kept)
    if let kept { value = kept } else { refuse() }
  }

  /// A member that is always there.
  mutating func code(_ name: StaticString, _ value: inout Bool) {
    var kept: Bool? = value
    code(name, &kept)
    if let kept { value = kept } else { refuse() }
  }

  /// A member that is always there.
  mutating func code(_ name: StaticString, _ value: inout String) {
    var kept: String? = value
    code(name, &kept)
    if let kept { value = kept } else { refuse() }
  }

  /// A member that is always there.
  mutating func code<ID: Identity>(_ name: StaticString, _ value: inout ID) {
    var kept: ID? = value
    code(name, &kept)
    if let kept { value = kept } else { refuse() }
  }

  /// A member that is always there.
  mutating func code(_ name: StaticString, _ value: inout Position) {
    var kept = value.rawValue
    code(name, &kept)
    value = Position(rawValue: kept)
  }

  /// A member that is always there.
  mutating func code(_ name: StaticString, _ value: inout Timestamp) {
    var kept = value.rawValue
    code(name, &kept)
    value = Timestamp(rawValue: kept)
  }

  /// A member that is left out for the usual value.
  mutating func code(_ name: StaticString, _ value: inout Int64, unless usual: Int64) {
    var kept: Int64? = value == usual ? nil : value
    code(name, &kept)
    value = kept ?? usual
  }

  /// A member that is left out for the usual value.
  mutating func code(_ name: StaticString, _ value: inout Bool, unless usual: Bool) {
    var kept: Bool? = value == usual ? nil : value
    code(name, &kept)
    value = kept ?? usual
  }
}
