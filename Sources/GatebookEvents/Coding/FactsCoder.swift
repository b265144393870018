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

// Inlined: without it each member of each row would look its type up while the log is folded.
extension FactsCoder {
  package var hasDetails: Bool { true }

  @inline(__always)
  package mutating func code<Value: Storable>(_ name: StaticString, _ value: inout Value?) {
    if member(name, isKept: value != nil) { Value.code(&value, with: &self) } else { value = nil }
  }

  /// A member that is always there.
  @inline(__always)
  package mutating func code<Value: Storable>(_ name: StaticString, _ value: inout Value) {
    var kept: Value? = value
    code(name, &kept)
    if let kept { value = kept } else { refuse() }
  }

  /// A member that is left out for the usual value.
  @inline(__always)
  package mutating func code<Value: Storable & Equatable>(
    _ name: StaticString, _ value: inout Value, unless usual: Value
  ) {
    var kept: Value? = value == usual ? nil : value
    code(name, &kept)
    value = kept ?? usual
  }

  /// A member that is left out where it holds nothing.
  @inline(__always)
  package mutating func code<Value: Storable>(
    _ name: StaticString, values: inout [String: Value]
  ) {
    guard member(name, isKept: !values.isEmpty) else { return }
    self.values(&values) { row, value in Value.code(&value, with: &row) }
  }
}

/// A value of the folds that is kept: as canonical JSON in a projection, packed in a snapshot of
/// the past.
///
/// One list of its members says how it is written and how it is read, and nothing is built in
/// between: every append writes such rows, and a look into the past reads one.
package protocol FactsRecord: Storable where Record == Facts {
  /// What reading begins with: whatever is not optional is set before anybody sees it.
  static var blank: Self { get }

  /// Names the members in ascending order of their names.
  mutating func code(with row: inout some FactsCoder)
}

extension FactsRecord {
  /// Reads facts; what is not there, or not as it should be, is as in `blank`.
  package init(_ facts: Facts) {
    self = FactsReader.read(facts).record
  }

  /// The facts.
  package var facts: Facts { FactsWriter.write(self) }

  package init?(record: Facts) { self.init(record) }
  package var record: Facts { facts }

  @inline(__always)
  package static func code(_ value: inout Self?, with coder: inout some FactsCoder) {
    coder.value(&value)
  }
}
