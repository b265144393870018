internal import Gatebook

/// `gatebook show`.
struct ShowCommand: Command {
  private static let difference = CommandOption.value(
    "--diff", "T|P", "what differs between that moment and the one of --as-of, or now")

  static let help = Help(
    "show", "Show the account's context, now or as of a time, or one event.", in: .audit,
    details: [
      "With a position, --account only checks that the event belongs to that account.",
      "A time means the state just before the first event that is later. The output shows both the time "
        + "and the position.",
      "With --diff only differences are shown, from the earlier moment to the later one.",
      ToldEvents.help,
    ],
    positionals: [.accountOrPosition], options: [AsOf.option, difference],
    examples: ["gatebook show work --as-of '2h ago'", "gatebook show 1432"], isAudit: true,
    isPaged: true)

  func run(_ call: Call) async throws -> ExitCode {
    let reader = try call.reader()
    guard let text = call.arguments[.accountOrPosition] else { return try context(call, reader) }
    guard call.arguments[AsOf.option] == nil, call.arguments[Self.difference] == nil else {
      throw UsageError(
        "`--as-of` and `--diff` need an account, because an event never changes.",
        remedy: "Leave them out, or name an account instead of the position.")
    }
    return try event(try EventPosition.read(text), call, reader)
  }

  @MainActor private func event(
    _ position: Position, _ call: Call, _ reader: BookReader
  ) throws -> ExitCode {
    let event = try EventPosition.event(at: position, call, reader)
    if !call.output.tells(programs: [EventRendering.json(event)]) {
      let names = AccountNames(try reader.accounts())
      call.output.lines(EventRendering.lines(event, names: names, call.output.times))
    }
    try ToldEvents.check([position], reader)
    return .done
  }

  @MainActor private func context(_ call: Call, _ reader: BookReader) throws -> ExitCode {
    if let other = try AsOf.read(call, reader, Self.difference) {
      return try difference(other, call, reader)
    }
    guard let asOf = try AsOf.read(call, reader) else {
      let account = try call.account(reader)
      call.output.account(account, isFull: true, scopes: try reader.scopes(of: account))
      return .done
    }
    let account = try call.account(reader)
    guard let context = try found(account, asOf, reader) else { throw Self.unknown(account) }
    call.output.account(
      context, isFull: true, asOf: asOf,
      scopes: try reader.scopes(of: context, asOf: asOf.position))
    return .done
  }

  /// The account as it was then; `nil` before it was in the book.
  private func found(
    _ account: SessionContext, _ asOf: AsOf, _ reader: BookReader
  ) throws -> SessionContext? {
    try reader.context(of: account.account, asOf: asOf.position, at: asOf.clocks)
  }

  private static func unknown(_ account: SessionContext) -> UsageError {
    UsageError(
      "This account was not in the book at that time.",
      remedy: "Its first event is later; see "
        + "`gatebook log \(AccountRendering.option(account))`.")
  }

  @MainActor private func difference(
    _ other: AsOf, _ call: Call, _ reader: BookReader
  ) throws -> ExitCode {
    let account = try call.account(reader)
    let asOf = try AsOf.read(call, reader)
    let moments = [other, try asOf ?? AsOf.now(call, reader)].sorted { $0.position < $1.position }
    let states: [ContextDifference.State?] = try moments.map { moment in
      guard asOf == nil, moment != other else {
        guard let context = try found(account, moment, reader) else { return nil }
        return (context, try reader.scopes(of: context, asOf: moment.position))
      }
      return (account, try reader.scopes(of: account))
    }
    guard let later = states[1] else { throw Self.unknown(account) }
    let difference = ContextDifference(from: states[0], to: later)
    guard !call.output.tells(programs: [difference.json(from: moments[0], to: moments[1])]) else {
      return .done
    }
    let times = call.output.times
    call.output.line(
      "From \(times.text(moments[0].moment)), after position \(moments[0].position), to "
        + "\(times.text(moments[1].moment)), after position \(moments[1].position):")
    if states[0] == nil { call.output.line("The account was added to the book in between.") }
    call.output.lines(difference.lines(call.output))
    if difference.isEmpty { call.output.message("The account did not change.") }
    return .done
  }
}
