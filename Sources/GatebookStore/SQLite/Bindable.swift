internal import GatebookEvents

/// What a parameter of a statement can be.
protocol Bindable {
  func bind(to statement: Statement, at index: Int32)
}

extension Int64: Bindable {
  func bind(to statement: Statement, at index: Int32) { statement.bind(index, self) }
}

extension Bool: Bindable {
  func bind(to statement: Statement, at index: Int32) { statement.bind(index, self ? 1 : 0) }
}

extension String: Bindable {
  func bind(to statement: Statement, at index: Int32) { statement.bind(index, self) }
}

extension [UInt8]: Bindable {
  func bind(to statement: Statement, at index: Int32) { statement.bind(index, self) }
}

extension Optional: Bindable where Wrapped: Bindable {
  func bind(to statement: Statement, at index: Int32) {
    if let self { self.bind(to: statement, at: index) } else { statement.bindNull(index) }
  }
}

extension Bindable where Self: Identity {
  func bind(to statement: Statement, at index: Int32) { statement.bind(index, self) }
}

extension AccountID: Bindable {}
extension BookID: Bindable {}
extension CopyID: Bindable {}
extension EventID: Bindable {}
extension InstallationID: Bindable {}
extension SessionID: Bindable {}

extension Bindable where Self: RawRepresentable<Int64> {
  func bind(to statement: Statement, at index: Int32) { statement.bind(index, rawValue) }
}

extension Bindable where Self: RawRepresentable<String> {
  func bind(to statement: Statement, at index: Int32) { statement.bind(index, rawValue) }
}

extension BookCopy.Kind: Bindable {}
extension DocumentName: Bindable {
  func bind(to statement: Statement, at index: Int32) { statement.bind(index, bytes) }
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

  func bind(to statement: Statement, at index: Int32) { statement.bind(index, text: bytes) }
}
