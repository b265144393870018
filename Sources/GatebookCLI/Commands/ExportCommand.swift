internal import Gatebook
internal import Glibc

/// `gatebook export`.
struct ExportCommand: Command {
  private static let format = CommandOption.choice(
    "--format", ExportFormat.allCases.map(\.rawValue),
    "jsonl: the objects of `log --json`; csv: a table; ocsf: Authentication (3002) of OCSF 1.8; "
      + "cloudevents: CloudEvents 1.0")
  private static let file = CommandOption.value("-o", "F", "write to this file")
  private static let after = CommandOption.value(
    "--after", "P", "only behind this position: where the last export ended")
  private static let personal = CommandOption.flag(
    "--with-personal", "with names and attributes of users; needs the book's key")

  static let help = Help(
    "export", "Hand the events on to other tools.", in: .audit,
    details: [
      "Each event is a line, in the order of the book. The last line of standard error says where the "
        + "export ended: `--after` goes on there, without a first line of names in csv.",
      "Personal facts are told as sealed, or as forgotten where the account was erased; with "
        + "--with-personal they are opened. With --account that is all the book holds of one person.",
      "ocsf tells logins, logouts, tickets, what comes before a login, and account switches; other "
        + "events are no authentication and are left out.",
      "A file stands at its place only when it is whole.",
    ],
    options: [format, file, after, personal],
    exits: [.done, .failed, .usage, .damaged, .cannotOpen, .cancelled],
    example: "gatebook export --format ocsf -o june.jsonl --after 1200", isAudit: true)

  func run(_ call: Call) async throws -> ExitCode {
    let name = try call.arguments.required(Self.format)
    guard let format = ExportFormat(rawValue: name) else {
      throw UsageError(
        "`\(Printable.text(name))` is no format of an export.",
        remedy: "See `gatebook help export`.")
    }
    let after =
      try call.arguments.integer(Self.after, in: 0...(.max)).map(Position.init(rawValue:)) ?? .start
    let reader = try reader(call)
    let account = try call.namedAccount(reader)?.account
    let draft = try file(call, isContinued: after > .start)
    let tally = try await write(
      Work(format: format, after: after, account: account), reader, draft, call)
    try draft?.finish()
    call.output.message(tally.text)
    return .done
  }

  /// What is to be written.
  private struct Work {
    let format: ExportFormat
    let after: Position
    let account: AccountID?
  }

  /// How far an export has come.
  private struct Tally {
    var lines = 0
    var last: Position

    var text: String {
      "\(lines) \(lines == 1 ? "event" : "events") up to position \(last); "
        + "`--after \(last)` goes on there."
    }
  }

  @MainActor private func reader(_ call: Call) throws -> BookReader {
    guard call.arguments.has(Self.personal) else {
      // An account's name may be needed to find it, and is not told.
      return call.globals.account == nil
        ? try BookReader.open(at: call.globals.book) : try call.reader()
    }
    guard let key = try call.keySource(mayAsk: true) else {
      throw GatebookError(
        .keyMissing, "Personal facts are sealed with the book's key.",
        kept: "Nothing was written.", remedy: "Leave out `--key none` or `--with-personal`.")
    }
    return try BookReader.open(at: call.globals.book, key: key)
  }

  @MainActor private func file(_ call: Call, isContinued: Bool) throws -> DraftFile? {
    guard let path = call.arguments[Self.file] else { return nil }
    if isContinued, access(path, F_OK) == 0 {
      throw UsageError(
        "That file exists, and with `--after` the new one would hold only what is behind.",
        remedy: "Choose another file, or leave out `-o` and add to it: `... >> F`.")
    }
    return try DraftFile(path)
  }

  @MainActor private func write(
    _ work: Work, _ reader: BookReader, _ draft: DraftFile?, _ call: Call
  ) async throws -> Tally {
    let opensPersonal = call.arguments.has(Self.personal)
    var writer = try work.format.writer(reader, tellsNames: opensPersonal)
    let output = call.output
    var tally = Tally(last: work.after)
    var lines = work.after > .start ? [] : writer.heading
    let size = try reader.head().size
    func pass() throws(GatebookError) -> Bool {
      defer { lines.removeAll(keepingCapacity: true) }
      if let draft { return try draft.write(lines) }
      output.bytes(lines)
      return output.hasReader
    }
    try reader.scan(after: work.after, of: work.account, opensPersonal: opensPersonal) {
      row throws(GatebookError) in
      let count = lines.count
      try writer.append(row, to: &lines)
      if lines.count > count { tally.lines += 1 }
      tally.last = Position(rawValue: row.position)
      guard lines.count >= 65_536 else { return true }
      guard !Task.isCancelled else { throw Self.cancelled(tally.last) }
      call.progress.show("exporting: \(row.position) of \(size) events")
      return try pass()
    }
    _ = try pass()
    call.progress.finish()
    return tally
  }

  private static func cancelled(_ last: Position) -> GatebookError {
    GatebookError(
      .cancelled, "The export was cancelled behind position \(last).",
      kept: "The book is as it was; a file is not left half written.",
      remedy: "Export again; on standard output the last line may be cut.")
  }
}
