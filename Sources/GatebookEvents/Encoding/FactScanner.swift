/// Finds single facts in canonical bytes without building anything: what the folds read with.
///
/// It trusts the form (the writer wrote it, the leaf proves it): on bytes that are not canonical it
/// finds less, never more than is there.
package struct FactScanner {
  private let bytes: UnsafeRawBufferPointer

  /// Makes a scanner over bytes that outlive it.
  package init(_ bytes: UnsafeRawBufferPointer) {
    self.bytes = bytes
  }

  /// The integer under a name of the outermost object.
  package func integer(_ name: StaticString) -> Int64? {
    value(of: name).flatMap(integer(at:))
  }

  /// The truth value under a name.
  package func bool(_ name: StaticString) -> Bool? {
    value(of: name).flatMap(bool(at:))
  }

  /// The text under a name.
  package func text(_ name: StaticString) -> String? {
    value(of: name).flatMap(text(at:))
  }

  /// What the folds need of a record.
  func fold<Record: FactsRecord>() -> Record { RowReader.fold(bytes) }

  /// Where the value of a name begins.
  private func value(of name: StaticString) -> Int? {
    var index = 1
    while let next = self.name(at: index) {
      switch order(next, name) {
      case .same: return next.upperBound + 2
      // Names ascend.
      case .after: return nil
      case .before: index = endOfValue(next.upperBound + 2)
      }
      guard index < bytes.count, bytes[index] == UInt8(ascii: ",") else { return nil }
      index += 1
    }
    return nil
  }

  /// A name's place in the order of names.
  enum Order {
    case before
    case same
    case after
  }

  /// How the name at a place compares to another one; one with an escape never counts as after it.
  func order(_ place: Range<Int>, _ name: StaticString) -> Order {
    let length = name.utf8CodeUnitCount
    for offset in 0..<min(place.count, length) {
      let (byte, other) = (bytes[place.lowerBound + offset], name.utf8Start[offset])
      guard byte != other else { continue }
      return byte < other || byte == UInt8(ascii: "\\") ? .before : .after
    }
    return place.count == length ? .same : place.count < length ? .before : .after
  }

  func integer(at start: Int) -> Int64? {
    var index = start
    return integer(from: &index)
  }

  /// The integer at a place, which then is after its digits.
  func integer(from index: inout Int) -> Int64? { Self.integer(in: bytes, at: &index) }

  /// Whether a value before this place ends here.
  func isEndOfValue(_ index: Int) -> Bool {
    guard index < bytes.count else { return index == bytes.count }
    switch bytes[index] {
    case UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]"): return true
    default: return false
    }
  }

  /// The integer at a place, which then is after its digits.
  static func integer(in bytes: UnsafeRawBufferPointer, at index: inout Int) -> Int64? {
    let isNegative = index < bytes.count && bytes[index] == UInt8(ascii: "-")
    if isNegative { index += 1 }
    let first = index
    var value: Int64 = 0
    while index < bytes.count, bytes[index] &- 48 < 10 {
      // Built below zero, where Int64 has one number more.
      let (scaled, overflow) = value.multipliedReportingOverflow(by: 10)
      let (sum, over) = scaled.subtractingReportingOverflow(Int64(bytes[index] - 48))
      if overflow || over { return nil }
      value = sum
      index += 1
    }
    guard index > first else { return nil }
    if isNegative { return value }
    return value == .min ? nil : -value
  }

  func bool(at start: Int) -> Bool? {
    guard start < bytes.count else { return nil }
    switch bytes[start] {
    case UInt8(ascii: "t"): return true
    case UInt8(ascii: "f"): return false
    default: return nil
    }
  }

  /// The text at a place.
  func text(at start: Int) -> String? {
    guard start < bytes.count, bytes[start] == UInt8(ascii: "\"") else { return nil }
    let end = endOfText(start)
    let content = UnsafeRawBufferPointer(rebasing: bytes[start + 1..<max(start + 1, end - 1)])
    guard !content.contains(UInt8(ascii: "\\")) else {
      return CanonicalDecoder.text(bytes[start..<end])
    }
    return String(decoding: content, as: UTF8.self)
  }

  /// The value at a place, whatever it is.
  func value(at start: Int) -> FactValue? {
    var decoder = CanonicalDecoder(
      UnsafeRawBufferPointer(rebasing: bytes[start..<endOfValue(start)]))
    return decoder.value(depth: 1)
  }

  /// The range of the name at a place, without its quotes; `nil` if there is none.
  @inline(__always)
  func name(at start: Int) -> Range<Int>? {
    guard start < bytes.count, bytes[start] == UInt8(ascii: "\"") else { return nil }
    let end = endOfText(start)
    guard end < bytes.count, bytes[end] == UInt8(ascii: ":") else { return nil }
    return start + 1..<end - 1
  }

  func isObject(at index: Int) -> Bool { index < bytes.count && bytes[index] == UInt8(ascii: "{") }

  func isComma(at index: Int) -> Bool { index < bytes.count && bytes[index] == UInt8(ascii: ",") }

  func endOfText(_ start: Int) -> Int {
    var index = start + 1
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\\"): index += 2
      case UInt8(ascii: "\""): return index + 1
      default: index += 1
      }
    }
    return bytes.count
  }

  func endOfValue(_ start: Int) -> Int {
    var index = start
    var depth = 0
    while index < bytes.count {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        index = endOfText(index)
        continue
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        if depth == 0 { return index }
        depth -= 1
      case UInt8(ascii: ",") where depth == 0: return index
      default: break
      }
      index += 1
    }
    return index
  }
}
