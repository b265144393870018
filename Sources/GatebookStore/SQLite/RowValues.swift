internal import GatebookEvents
internal import GatebookSystem

/// The values of one row, good until the next one.
protocol RowValues {
  func integer(_ column: Int32) -> Int64
  func isNull(_ column: Int32) -> Bool
  /// The column's bytes where they lie; a text's without converting them.
  func raw(_ column: Int32) -> UnsafeRawBufferPointer
}

extension RowValues {
  func optionalInteger(_ column: Int32) -> Int64? {
    // NULL reads as 0: only then is its type asked for.
    let value = integer(column)
    return value == 0 && isNull(column) ? nil : value
  }

  /// The column's bytes where they lie; `nil` for NULL.
  func optionalRaw(_ column: Int32) -> UnsafeRawBufferPointer? {
    // Of an empty value there is no place: only then is its type asked for.
    let raw = raw(column)
    return raw.baseAddress == nil && isNull(column) ? nil : raw
  }

  func text(_ column: Int32) -> String { String(decoding: raw(column), as: UTF8.self) }

  func bytes(_ column: Int32) -> [UInt8] { Array(raw(column)) }

  /// The program in a writer's columns, from its name on.
  func program(at column: Int32) -> Program? {
    InstallationID(bytes: raw(column + 2)).map {
      Program(name: text(column), version: text(column + 1), installation: $0)
    }
  }

  /// Whether a column holds exactly these bytes.
  func holds(_ bytes: [UInt8], at column: Int32) -> Bool {
    let raw = raw(column)
    return bytes.withUnsafeBytes { Bytes.areEqual($0, raw) }
  }
}
