internal import Glibc

// The functions of Swift's module _StringProcessing that are used here, for bytes: with that module
// the command would be 1.3 MB larger. They compare UTF-8, and so find a line feed after a carriage
// return too.

extension String {
  /// Whether another text is in it.
  package func contains(_ other: some StringProtocol) -> Bool { self[...].contains(other) }

  /// Where another text is in it first; `nil` if it is not.
  package func firstRange(of other: String) -> Range<Index>? { self[...].firstRange(of: other) }

  /// The text with one in place of each occurrence of another one.
  package func replacing(_ other: String, with new: String) -> String {
    var replaced = ""
    var rest = self[...]
    while !other.isEmpty, let found = rest.firstRange(of: other) {
      replaced += rest[..<found.lowerBound] + new
      rest = rest[found.upperBound...]
    }
    return replaced + rest
  }
}

extension Substring {
  /// Whether another text is in it.
  package func contains(_ other: some StringProtocol) -> Bool {
    firstRange(of: String(other)) != nil
  }

  /// Where another text is in it first; `nil` if it is not.
  package func firstRange(of other: String) -> Range<Index>? {
    let bytes = Array(other.utf8)
    let place =
      utf8.withContiguousStorageIfAvailable { $0.firstPlace(of: bytes) }
      ?? Array(utf8).withUnsafeBufferPointer { $0.firstPlace(of: bytes) }
    return place.map { place in
      let start = utf8.index(startIndex, offsetBy: place)
      return start..<utf8.index(start, offsetBy: bytes.count)
    }
  }
}

extension [UInt8] {
  /// Where the bytes of a text are first; `nil` if they are not in it.
  package func firstRange(of text: String) -> Range<Int>? { self[...].firstRange(of: text) }
}

extension ArraySlice<UInt8> {
  /// Where the bytes of a text are first; `nil` if they are not in it.
  package func firstRange(of text: String) -> Range<Int>? {
    let bytes = Array(text.utf8)
    return withUnsafeBufferPointer { $0.firstPlace(of: bytes) }.map { place in
      startIndex + place..<startIndex + place + bytes.count
    }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// How many bytes come before the first place where others are; `nil` if they are not in it.
  fileprivate func firstPlace(of others: [UInt8]) -> Int? {
    guard let first = others.first else { return 0 }
    var place = 0
    while count - place >= others.count, let start = baseAddress {
      guard let found = memchr(start + place, Int32(first), count - place) else { return nil }
      place = UnsafeRawPointer(found) - UnsafeRawPointer(start)
      guard count - place >= others.count else { return nil }
      if memcmp(found, others, others.count) == 0 { return place }
      place += 1
    }
    return nil
  }
}
