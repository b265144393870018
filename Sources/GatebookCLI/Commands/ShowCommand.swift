internal import Gatebook

/// `gatebook show`.
struct ShowCommand: Command {
  private static let position = Positional(
    "P", "the position of an event; without it the context of the account", isOptional: true)

  static let help = Help(
    "show", "Show the account's context, now or as of a time, or one event.", in: .audit,
    details: [
      "With a position --account only says whose event it must be.",
      "As of a time is the state after the last event before the first one that is later; the "
        + "answer shows both the time and the position.",
    ],
    positionals: [position], options: [AsOf.option],
    exits: [.done, .usage, .loginNeeded, .damaged, .cannotOpen],
    example: "gatebook show --account work --as-of '2h ago'", isAudit: true)

  func run(_ call: Call) async throws -> ExitCode {
    let reader = try call.reader()
    guard let text = call.arguments[Self.position] else { return try context(call, reader) }
    guard call.arguments[AsOf.option] == nil else {
      throw UsageError(
        "An event never changes: `--as-of` goes with an account.",
        remedy: "Leave out `--as-of` or the position.")
    }
    return try event(try EventPosition.read(text), call, reader)
  }

  @MainActor private func event(
    _ position: Position, _ call: Call, _ reader: BookReader
  ) throws -> ExitCode {
    guard let event = try reader.event(at: position) else {
      throw EventPosition.missing(try reader.head().size)
    }
    if let named = try call.namedAccount(reader), event.account != named.account {
      throw EventPosition.foreign
    }
    if call.output.isJSON {
      call.output.json(EventRendering.json(event))
    } else {
      let names = AccountNames(try reader.accounts())
      for line in EventRendering.lines(event, names: names, call.output.times) {
        call.output.line(line)
      }
    }
    return .done
  }

  @MainActor private func context(_ call: Call, _ reader: BookReader) throws -> ExitCode {
    guard let asOf = try AsOf.read(call, reader) else {
      call.output.account(try call.account(reader), isFull: true)
      return .done
    }
    let account = try call.account(reader)
    guard let context = try reader.context(of: account.account, asOf: asOf.position) else {
      throw UsageError(
        "This account was not in the book then.",
        remedy: "Its first event is later; see "
          + "`gatebook log --account \(AccountRendering.name(account))`.")
    }
    if call.output.isJSON {
      call.output.json(AccountRendering(context).json(isFull: true, asOf: asOf))
    } else {
      call.output.line(asOf.text(call.output.times))
      call.output.account(context, isFull: true)
    }
    return .done
  }
}
