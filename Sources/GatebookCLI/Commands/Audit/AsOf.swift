internal import Gatebook

/// A state of the past: the last event that counts, and the moment it stands for.
struct AsOf: Hashable, Sendable {
  /// The option of the commands that can look back.
  static let option = CommandOption.value(
    "--as-of", "T|P", "as it was at a time, or after the event at a position")

  let position: Position
  let moment: Timestamp

  /// For what time alone had ended by then; `nil`: what the log says after a position.
  let clocks: Moment?

  /// The present: the whole log.
  @MainActor static func now(_ call: Call, _ reader: BookReader) throws -> AsOf {
    AsOf(
      position: Position(rawValue: try reader.head().size), moment: call.now.wall, clocks: call.now)
  }

  /// Reads an option such as `--as-of`; `nil` when it was not given.
  ///
  /// "As of T" is the state after the last position before the first event that is later than T.
  @MainActor static func read(
    _ call: Call, _ reader: BookReader, _ option: CommandOption = AsOf.option
  ) throws -> AsOf? {
    guard let text = call.arguments[option] else { return nil }
    switch try call.timeReader.timeOrPosition(text) {
    case .moment(let moment):
      // A time to the second is the end of that second.
      guard moment < call.now.wall + .seconds(1) else { throw toCome(option) }
      let position = try position(moment, reader)
      try warn(of: position, moment, reader, call.output)
      // Of the past only the wall clock is known.
      return AsOf(
        position: position, moment: moment, clocks: Moment(wall: moment, boot: .zero))
    case .position:
      let position = try EventPosition.read(text)
      try EventPosition.refuseArchived(position, reader)
      guard let event = try reader.event(at: position) else {
        let missing = try EventPosition.missing(position, reader)
        // Of a date that names its year, today does not matter.
        guard let day = SpokenTime([text])?.midnight(CivilTime(seconds: 0)) else { throw missing }
        throw UsageError(
          missing.message, remedy: "\(missing.remedy) If you mean a day, write `\(day.dateText)`.")
      }
      return AsOf(position: position, moment: event.at, clocks: nil)
    }
  }

  /// Refuses a time that is still to come.
  static func toCome(_ option: CommandOption) -> UsageError {
    UsageError(
      "`\(option.name)` names a time in the future.",
      remedy: "Give a time in the past, or `now`.")
  }

  /// The last event that counts.
  ///
  /// - Throws: `UsageError` for a moment that only an archive knows, which is named; `storage`
  ///   failures.
  static func position(_ moment: Timestamp, _ reader: BookReader) throws -> Position {
    let found = Result { () throws(GatebookError) in try reader.position(asOf: moment) }
    if case .failure(let error) = found, error.code == .configurationInvalid {
      guard try reader.continuation()?.isForgotten != true else {
        throw UsageError(
          "The fleet that this copy is from forgot the events of that time.",
          remedy: "Give a later time.")
      }
      throw UsageError(
        "The events of that time are not in this book, but in \(PastRendering.names(reader)).",
        remedy: "Read the archive with `--book`, or give a later time.")
    }
    return try found.get()
  }

  /// Says that an event with a date too late hides the events after it.
  @MainActor private static func warn(
    of position: Position, _ moment: Timestamp, _ reader: BookReader, _ output: Output
  ) throws {
    let end = Position(rawValue: try reader.head().size)
    guard position < end, let last = try reader.event(at: end), last.at <= moment else { return }
    let next = Position(rawValue: position.rawValue + 1)
    output.message(
      "Event \(next) has a later time than events after it, perhaps because a clock was ahead. The "
        + "state shown is the one before event \(next). To include the later events, give a position such "
        + "as \(end) instead of a time.")
  }

  /// Both for people.
  func text(_ times: TimeText) -> String {
    "As of \(times.text(moment)), after position \(position):"
  }

  /// Both for programs.
  var json: JSON {
    ["at": .time(moment), "position": .integer(position.rawValue)]
  }
}
