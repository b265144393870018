/// One header field of a message.
public struct HTTPField: Hashable, Sendable {
  /// The name; compared without regard to case.
  public var name: String
  /// The value without surrounding blanks.
  ///
  /// Bytes that are not UTF-8 were read as ISO-8859-1.
  public var value: String

  /// Makes a field.
  public init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

extension [HTTPField] {
  /// The values of all fields of a name, in their order; names are compared without regard to case.
  public func values(of name: String) -> [String] {
    filter { $0.name.equalsIgnoringCase(name) }.map(\.value)
  }

  /// The first value of a name.
  public func first(_ name: String) -> String? {
    first { $0.name.equalsIgnoringCase(name) }?.value
  }
}
