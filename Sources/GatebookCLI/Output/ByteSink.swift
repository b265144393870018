internal import Gatebook

/// Where bytes go: standard output, standard error, an output file, or memory in tests.
protocol ByteSink: Sendable {
  /// Writes all the bytes.
  ///
  /// - Parameter bytes: What to write.
  /// - Returns: Whether somebody is still reading.
  /// - Throws: `storage.full` or `configuration.invalid` when the bytes could not be written.
  func write(_ bytes: [UInt8]) throws(GatebookError) -> Bool

  /// Whether somebody is still reading, as far as that can be known without writing.
  var hasReader: Bool { get }

  /// What the system calls the open file; `nil` for memory.
  var descriptor: Int32? { get }
}

extension ByteSink {
  /// Memory is read for ever.
  var hasReader: Bool { true }

  /// The system knows nothing of it.
  var descriptor: Int32? { nil }
}
