internal import Gatebook

/// What other tools are given events as.
enum ExportFormat: String, CaseIterable {
  /// The objects of `log --json`, one a line.
  case jsonLines = "jsonl"
  /// RFC 4180, with a first line of names.
  case csv
  /// Authentication, class 3002 of the Open Cybersecurity Schema Framework, one a line.
  case ocsf
  /// CloudEvents 1.0 in JSON, one a line.
  case cloudEvents = "cloudevents"

  /// Makes what writes events so.
  ///
  /// - Parameters:
  ///   - reader: The book.
  ///   - tellsNames: Whether users are shown by their names, not only by their accounts.
  /// - Returns: A writer.
  func writer(_ reader: BookReader, tellsNames: Bool) -> any EventWriter {
    let names = RenderedNames(reader.eventNames)
    switch self {
    case .jsonLines: return JSONLineWriter(names)
    case .csv: return CSVWriter(names, reader.eventNames)
    case .ocsf: return AuthenticationWriter(names, reader, tellsNames: tellsNames)
    case .cloudEvents: return CloudEventWriter(names, reader.id)
    }
  }
}

/// Writes events in one format, a line each.
protocol EventWriter {
  /// The text before the first event, its line end included.
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
