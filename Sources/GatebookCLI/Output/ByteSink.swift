internal import Gatebook

/// Where bytes go: standard output, standard error, or memory in tests.
@MainActor protocol ByteSink {
  /// Writes all the bytes.
  ///
  /// - Parameter bytes: What to write.
  /// - Returns: Whether somebody is still reading.
  /// - Throws: `storage.full` or `configuration.invalid` when the bytes could not be written.
  func write(_ bytes: [UInt8]) throws(GatebookError) -> Bool

  /// Whether somebody is still reading, as far as that can be known without writing.
  var hasReader: Bool { get }
}

extension ByteSink {
  /// Memory is read for ever.
  var hasReader: Bool { true }
}
