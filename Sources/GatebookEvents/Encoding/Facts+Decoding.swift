extension Facts {
  /// Reads canonical JSON, at most 16 levels deep.
  ///
  /// `nil` for anything that is not exactly what the writer writes: blanks, keys out of order or
  /// twice, fractions, other escapes, bytes that are not UTF-8.
  public init?(decoding bytes: some Collection<UInt8>) {
    let facts = bytes.withContiguousStorageIfAvailable { Self.decode(UnsafeRawBufferPointer($0)) }
    guard let read = facts ?? Array(bytes).withUnsafeBytes(Self.decode) else { return nil }
    self = read
  }

  private static func decode(_ bytes: UnsafeRawBufferPointer) -> Facts? {
    var decoder = CanonicalDecoder(bytes)
    guard case .object(let facts) = decoder.value(depth: 0), decoder.isAtEnd else { return nil }
    return facts
  }
}
