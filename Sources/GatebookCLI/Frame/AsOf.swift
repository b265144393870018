internal import Gatebook

/// A state of the past: the last event that counts, and the moment it stands for.
struct AsOf: Hashable, Sendable {
  /// The option of the commands that can look back.
  static let option = CommandOption.value(
    "--as-of", "T|P", "as it was at a time, or after the event at a position")

  let position: Position
  let moment: Timestamp

  /// The present: the whole log.
  @MainActor static func now(_ call: Call, _ reader: BookReader) throws -> AsOf {
    AsOf(position: Position(rawValue: try reader.head().size), moment: call.now.wall)
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
      return AsOf(position: try reader.position(asOf: moment), moment: moment)
    case .position(let position):
      guard let event = try reader.event(at: position) else {
        throw try EventPosition.missing(position, reader)
      }
      return AsOf(position: position, moment: event.at)
    }
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
