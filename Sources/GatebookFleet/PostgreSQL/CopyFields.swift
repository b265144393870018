internal import Gatebook
internal import GatebookEvents

/// Reads the fields of one row of `COPY ... TO STDOUT` in the binary form, where they lie.
///
/// What does not fit reads as NULL, and `isComplete` says so at the end.
///
/// Source: PostgreSQL 15, COPY, "Binary Format".
struct CopyFields {
  private let bytes: UnsafeRawBufferPointer
  private var place: Int
  private var isDamaged = false

  /// Begins to read a row; `nil` for a piece without one: the trailer, or the header alone.
  ///
  /// - Parameters:
  ///   - piece: A piece of the copy; the first one begins with the header.
  ///   - count: How many fields a row has.
  init?(_ piece: UnsafeRawBufferPointer, count: Int16) {
    bytes = piece
    place = 0
    // The signature, flags, and the length of an extension that has no meaning yet.
    if piece.count >= 19, piece[0] != 0, piece.starts(with: CopyRow.header.prefix(11)) {
      place = 19 + Int(UInt32(bigEndian: piece.loadUnaligned(fromByteOffset: 15, as: UInt32.self)))
    }
    guard piece.count >= place + 2,
      Int16(bigEndian: piece.loadUnaligned(fromByteOffset: place, as: Int16.self)) == count
    else { return nil }
    place += 2
  }

  /// Whether all fields were there, and nothing else.
  var isComplete: Bool { !isDamaged && place == bytes.count }

  /// The bytes of the next field; `nil` for NULL.
  mutating func next() -> UnsafeRawBufferPointer? {
    guard bytes.count - place >= 4 else {
      isDamaged = true
      return nil
    }
    let length = Int(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int32.self)))
    place += 4
    guard length >= 0 else { return nil }
    guard length <= bytes.count - place else {
      isDamaged = true
      return nil
    }
    defer { place += length }
    return UnsafeRawBufferPointer(rebasing: bytes[place..<place + length])
  }

  /// The bytes of the next field, which is not NULL.
  mutating func content() -> UnsafeRawBufferPointer {
    guard let field = next() else {
      isDamaged = true
      return UnsafeRawBufferPointer(start: bytes.baseAddress, count: 0)
    }
    return field
  }

  /// The next field, which is a number of four or eight bytes; `nil` for NULL.
  mutating func optionalInteger() -> Int64? {
    guard let field = next() else { return nil }
    switch field.count {
    case 4: return Int64(Int32(bigEndian: field.loadUnaligned(as: Int32.self)))
    case 8: return Int64(bigEndian: field.loadUnaligned(as: Int64.self))
    default:
      isDamaged = true
      return nil
    }
  }

  /// The next field, which is a number and not NULL.
  mutating func integer() -> Int64 {
    guard let number = optionalInteger() else {
      isDamaged = true
      return 0
    }
    return number
  }

  mutating func bool() -> Bool { next()?.first == 1 }

  /// The next field, which is an identity; `nil` for NULL.
  mutating func identity<ID: Identity>() -> ID? {
    guard let field = next() else { return nil }
    if field.count != 16 { isDamaged = true }
    return ID(bytes: field)
  }
}
