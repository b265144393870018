/// Header fields in their order, repeated names included.
///
/// A literal may name a field more than once: `["Set-Cookie": "a=1", "Set-Cookie": "b=2"]`.
public struct LoopbackFields: Hashable, Sendable, ExpressibleByDictionaryLiteral {
  /// One field.
  public struct Field: Hashable, Sendable {
    /// The name, as it was written in the message.
    public var name: String
    /// The value, without surrounding blanks.
    public var value: String

    /// Makes a field.
    public init(_ name: String, _ value: String) {
      self.name = name
      self.value = value
    }
  }

  /// The fields in their order.
  public var all: [Field]

  /// Makes fields in an order.
  public init(_ all: [Field] = []) {
    self.all = all
  }

  /// Makes fields in the literal's order.
  public init(dictionaryLiteral elements: (String, String)...) {
    all = elements.map { Field($0.0, $0.1) }
  }

  /// The first value of a name, compared without regard to case.
  public subscript(name: String) -> String? {
    values(of: name).first
  }

  /// All values of a name in their order; names are compared without regard to case.
  public func values(of name: String) -> [String] {
    all.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
  }

  /// Adds one field at the end.
  public mutating func append(_ name: String, _ value: String) {
    all.append(Field(name, value))
  }

  /// Adds a field unless there is one of its name.
  mutating func appendMissing(_ name: String, _ value: String) {
    if self[name] == nil { append(name, value) }
  }
}
