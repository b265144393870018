internal import CPostgreSQL
internal import Gatebook
internal import GatebookEvents

/// The rows of an answer, in the binary form of their types.
final class PostgresRows {
  private let functions: pq_functions
  private let result: OpaquePointer

  /// Takes a result over.
  init(_ functions: pq_functions, _ result: OpaquePointer) {
    self.functions = functions
    self.result = result
  }

  deinit { functions.PQclear(result) }

  /// How many rows there are.
  var count: Int { Int(functions.PQntuples(result)) }

  subscript(row: Int) -> PostgresRow { PostgresRow(rows: self, number: Int32(row)) }

  /// The first row; `nil` for none.
  var first: PostgresRow? { count > 0 ? self[0] : nil }

  /// What is read of each row.
  func map<Value>(
    _ read: (PostgresRow) throws(GatebookError) -> Value
  ) throws(GatebookError) -> [Value] {
    var values: [Value] = []
    for row in 0..<count { values.append(try read(self[row])) }
    return values
  }

  /// The bytes of a value where they lie; `nil` for NULL.
  fileprivate func raw(_ row: Int32, _ column: Int32) -> UnsafeRawBufferPointer? {
    guard functions.PQgetisnull(result, row, column) == 0 else { return nil }
    return UnsafeRawBufferPointer(
      start: functions.PQgetvalue(result, row, column),
      count: Int(functions.PQgetlength(result, row, column)))
  }
}

/// One row of an answer.
struct PostgresRow {
  fileprivate let rows: PostgresRows
  fileprivate let number: Int32

  /// A number of four or eight bytes; `nil` for NULL.
  func optionalInteger(_ column: Int32) -> Int64? {
    guard let raw = rows.raw(number, column) else { return nil }
    return raw.count == 4
      ? Int64(Int32(bigEndian: raw.loadUnaligned(as: Int32.self)))
      : raw.count == 8 ? Int64(bigEndian: raw.loadUnaligned(as: Int64.self)) : nil
  }

  /// A number; 0 for NULL.
  func integer(_ column: Int32) -> Int64 { optionalInteger(column) ?? 0 }

  func bool(_ column: Int32) -> Bool { rows.raw(number, column)?.first == 1 }

  func optionalText(_ column: Int32) -> String? {
    rows.raw(number, column).map { String(decoding: $0, as: UTF8.self) }
  }

  func text(_ column: Int32) -> String { optionalText(column) ?? "" }

  func optionalBytes(_ column: Int32) -> [UInt8]? { rows.raw(number, column).map { Array($0) } }

  func bytes(_ column: Int32) -> [UInt8] { optionalBytes(column) ?? [] }

  func identity<ID: Identity>(_ column: Int32) -> ID? {
    rows.raw(number, column).flatMap { ID(bytes: $0) }
  }
}
