internal import Gatebook

/// Writes events in one format, a line each.
protocol EventWriter {
  /// What stands before the first event, its line end included.
  var heading: [UInt8] { get }

  /// Writes one event's line.
  ///
  /// - Parameters:
  ///   - row: The event.
  ///   - bytes: What the line is added to; nothing, for an event that the format has no place for.
  /// - Throws: `storage.damaged` for facts that nobody can have written so.
  mutating func append(_ row: EventRow, to bytes: inout [UInt8]) throws(GatebookError)
}

extension EventWriter {
  var heading: [UInt8] { [] }
}
