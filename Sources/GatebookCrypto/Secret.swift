/// Bytes that no text shows and that are wiped when the last copy goes.
///
/// Copies share one storage. Printing, dumping and reflecting say `<secret>` and nothing else.
public struct Secret: Sendable {
  private let storage: SecretStorage

  /// Keeps a copy of the bytes; the caller's own array is not wiped.
  public init(_ bytes: [UInt8]) {
    storage = SecretStorage(copying: bytes)
  }

  /// Keeps the UTF-8 bytes of a text; the text itself is not wiped.
  public init(_ text: String) {
    storage = SecretStorage(copying: text.utf8)
  }

  /// Takes the bytes over without a copy and leaves the variable empty.
  ///
  /// They are wiped in the end if no other variable holds the same array.
  package init(taking bytes: inout [UInt8]) {
    storage = SecretStorage(taking: &bytes)
  }

  /// How many bytes there are.
  public var count: Int { storage.bytes.count }

  /// Whether there are no bytes.
  public var isEmpty: Bool { storage.bytes.isEmpty }

  /// Lends the bytes for the time of the call.
  ///
  /// An array kept beyond the call is a copy that nobody wipes.
  public func withBytes<Result, Failure>(
    _ body: ([UInt8]) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try body(storage.bytes)
  }
}

extension Secret: Equatable {
  /// Whether both hold the same bytes, in a time that depends on the number of bytes alone.
  public static func == (left: Secret, right: Secret) -> Bool {
    ConstantTime.equal(left.storage.bytes, right.storage.bytes)
  }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// Always `<secret>`.
  public var description: String { "<secret>" }

  /// Always `<secret>`.
  public var debugDescription: String { "<secret>" }

  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: [], displayStyle: .struct) }
}
