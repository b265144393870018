/// A value that is stored as named members: in the vault, in a login that waits, in settings.
///
/// Its initialiser names each member once, for both ways; members that it does not name are left
/// alone. A `FactsRecord` is read as far as it can be read; this one is whole, or none.
package protocol StoredRecord: Storable where Record == Facts {
  /// Whether a record is refused that holds anything else than what is written.
  static var isClosed: Bool { get }

  /// Writes the members of a value, or reads one.
  ///
  /// - Parameters:
  ///   - kept: What is written; `nil` to read.
  ///   - facts: Where the members go, or come from.
  /// - Throws: For a member that must be there and is not, or cannot be read.
  init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable)
}

/// That facts make no value.
package struct Unreadable: Error {
  package init() {}
}

extension StoredRecord {
  package static var isClosed: Bool { false }

  package init?(record: Facts) {
    var reader = FactsReader(record)
    guard let read = try? Self(nil, &reader), !Self.isClosed || read.record == record else {
      return nil
    }
    self = read
  }

  /// Reads what `encoded` wrote; `nil` for anything else.
  package init?(_ bytes: [UInt8]) {
    guard let record = Facts(decoding: bytes) else { return nil }
    self.init(record: record)
  }

  /// The canonical bytes, secrets included.
  package var encoded: [UInt8] { record.encoded }

  /// The members; without those after one that a reader would miss.
  package var record: Facts {
    var writer = FactsWriter()
    _ = try? Self(self, &writer)
    return writer.facts
  }
}

extension FactsCoder {
  /// A member that must be there.
  ///
  /// - Parameters:
  ///   - name: Its name.
  ///   - kept: What is written; `nil` to read.
  /// - Returns: The value.
  /// - Throws: When it is not there, or cannot be read.
  package mutating func required<Value: Storable>(
    _ name: StaticString, _ kept: Value?
  ) throws(Unreadable) -> Value {
    guard let value = optional(name, kept) else { throw Unreadable() }
    return value
  }

  /// A member that may be missing; one that cannot be read is none.
  package mutating func optional<Value: Storable>(
    _ name: StaticString, _ kept: Value?
  ) -> Value? {
    var fact = kept?.fact
    code(name, &fact)
    return kept ?? fact.flatMap(Value.init(fact:))
  }

  /// A member that may be missing; one of the right kind must be readable.
  package mutating func readable<Value: Storable>(
    _ name: StaticString, _ kept: Value?
  ) throws(Unreadable) -> Value? {
    var fact = kept?.fact
    code(name, &fact)
    if let kept { return kept }
    guard let record = fact.flatMap(Value.Record.plain) else { return nil }
    guard let value = Value(record: record) else { throw Unreadable() }
    return value
  }

  /// A member that is left out for the usual value.
  package mutating func optional<Value: Storable & Equatable>(
    _ name: StaticString, _ kept: Value?, unless usual: Value
  ) -> Value {
    let value = optional(name, kept == usual ? nil : kept)
    return value ?? usual
  }

  /// A member that is left out for the usual value; one of the right kind must be readable.
  package mutating func readable<Value: Storable & Equatable>(
    _ name: StaticString, _ kept: Value?, unless usual: Value
  ) throws(Unreadable) -> Value {
    try readable(name, kept == usual ? nil : kept) ?? usual
  }
}
