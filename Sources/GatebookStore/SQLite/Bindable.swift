internal import CSQLite
internal import GatebookEvents

/// What a parameter of a statement can be.
protocol Bindable {
  func bind(to statement: Statement, at index: Int32)
}

extension Int64: Bindable {
  func bind(to statement: Statement, at index: Int32) {
    sqlite3_bind_int64(statement.handle, index, self)
  }
}

extension Bool: Bindable {
  func bind(to statement: Statement, at index: Int32) {
    sqlite3_bind_int64(statement.handle, index, self ? 1 : 0)
  }
}

extension String: Bindable {
  func bind(to statement: Statement, at index: Int32) {
    var text = self
    text.withUTF8 { $0.bindText(to: statement, at: index) }
  }
}

extension [UInt8]: Bindable {
  func bind(to statement: Statement, at index: Int32) {
    withUnsafeBytes { $0.bind(to: statement, at: index) }
  }
}

extension UnsafeRawBufferPointer: Bindable {
  func bind(to statement: Statement, at index: Int32) {
    // A null pointer would bind NULL; an empty blob is something else.
    if isEmpty {
      sqlite3_bind_zeroblob(statement.handle, index, 0)
    } else {
      sqlite3_bind_blob(
        statement.handle, index, baseAddress, Int32(truncatingIfNeeded: count),
        gatebook_transient())
    }
  }
}

extension Optional: Bindable where Wrapped: Bindable {
  func bind(to statement: Statement, at index: Int32) {
    if let self { self.bind(to: statement, at: index) } else { statement.bindNull(index) }
  }
}

extension Bindable where Self: Identity {
  func bind(to statement: Statement, at index: Int32) {
    Swift.withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) {
      $0.bind(to: statement, at: index)
    }
  }
}

extension AccountID: Bindable {}
extension BookID: Bindable {}
extension CopyID: Bindable {}
extension EventID: Bindable {}
extension InstallationID: Bindable {}
extension SessionID: Bindable {}

extension Bindable where Self: RawRepresentable<Int64> {
  func bind(to statement: Statement, at index: Int32) { rawValue.bind(to: statement, at: index) }
}

extension Bindable where Self: RawRepresentable<String> {
  func bind(to statement: Statement, at index: Int32) { rawValue.bind(to: statement, at: index) }
}

extension BookCopy.Kind: Bindable {}
extension DocumentName: Bindable {
  func bind(to statement: Statement, at index: Int32) { bytes.bind(to: statement, at: index) }
}
extension EventKind: Bindable {}
extension Position: Bindable {}
extension Timestamp: Bindable {}

/// Bytes of UTF-8 that are bound as text.
struct UTF8Text: Bindable {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  func bind(to statement: Statement, at index: Int32) {
    bytes.withUnsafeBufferPointer { $0.bindText(to: statement, at: index) }
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// Binds UTF-8 as text with its length: without it SQLite would take it up to a U+0000.
  fileprivate func bindText(to statement: Statement, at index: Int32) {
    guard let start = UnsafeRawPointer(baseAddress) else {
      // A null pointer would bind NULL; an empty text is something else.
      sqlite3_bind_text(statement.handle, index, "", 0, gatebook_transient())
      return
    }
    sqlite3_bind_text(
      statement.handle, index, start.assumingMemoryBound(to: CChar.self),
      Int32(truncatingIfNeeded: count), gatebook_transient())
  }
}
