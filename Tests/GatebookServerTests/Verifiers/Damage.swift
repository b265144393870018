internal import Foundation
internal import Testing

/// Damage to a copy of a book, made without Gatebook, that must be noticed.
enum Damage: String, CaseIterable, CustomStringConvertible {
  case flippedByte = "a flipped byte"
  case deletedRow = "a deleted row"
  case swappedRows = "two swapped rows"
  case cutOffEnd = "the newest rows cut off"
  case changedName = "a kind under another name"

  /// The position all of them strike at, or near.
  static let position = 4_000

  var description: String { rawValue }

  /// The first position that is no longer what it was.
  var firstBad: Int {
    switch self {
    case .changedName: 1
    default: Self.position
    }
  }

  func strike(_ book: String) throws {
    switch self {
    case .flippedByte: try flip(book)
    case .deletedRow: try sql("DELETE FROM event WHERE position = \(Self.position)", book)
    case .swappedRows:
      try sql(
        """
        UPDATE event SET position = 1000000 WHERE position = \(Self.position);
        UPDATE event SET position = \(Self.position) WHERE position = \(Self.position + 1);
        UPDATE event SET position = \(Self.position + 1) WHERE position = 1000000
        """, book)
    case .cutOffEnd: try sql("DELETE FROM event WHERE position >= \(Self.position)", book)
    case .changedName:
      try sql("UPDATE kind SET name = 'book.opened' WHERE name = 'book.created'", book)
    }
  }

  /// One bit of one byte of the file, in the event's leaf: no index holds that.
  private func flip(_ book: String) throws {
    let hex = try sql("SELECT hex(leaf) FROM event WHERE position = \(Self.position)", book)
    var digits = hex.filter(\.isHexDigit)[...]
    var leaf = Data()
    while !digits.isEmpty {
      leaf.append(try #require(UInt8(digits.prefix(2), radix: 16)))
      digits = digits.dropFirst(2)
    }
    var bytes = try Data(contentsOf: URL(filePath: book))
    let place = try #require(bytes.range(of: leaf))
    bytes[place.lowerBound + 7] ^= 0x10
    try bytes.write(to: URL(filePath: book))
  }

  /// The stock shell, without the triggers that refuse this.
  @discardableResult
  private func sql(_ statements: String, _ book: String) throws -> String {
    let triggers = ["event_is_never_updated", "event_is_never_deleted"]
    let drops = triggers.map { "DROP TRIGGER IF EXISTS \($0);" }.joined()
    let result = try ChildProcess.run(
      "sqlite3", ["-bail", book, drops + statements], environment: ["PATH": "/usr/bin:/bin"])
    try #require(result.status == 0, "\(result.errors)")
    return result.output
  }
}
