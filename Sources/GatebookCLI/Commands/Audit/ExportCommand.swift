internal import Gatebook
internal import GatebookSystem

/// `gatebook export`.
struct ExportCommand: Command {
  private static let format = CommandOption.choice(
    "--format", ExportFormat.allCases.map(\.rawValue),
    "jsonl: the objects of `log --json`; csv: a table; ocsf: Authentication (3002) of OCSF 1.8; "
      + "cloudevents: CloudEvents 1.0")
  private static let since = CommandOption.value("--since", "T", "only from this time on")
  private static let until = CommandOption.value(
    "--until", "T", "only before this time; a day alone is included")
  private static let after = CommandOption.value(
    "--after", "P", "only after this position: where the last export ended")
  private static let personal = CommandOption.flag(
    "--with-personal", "include names and attributes of users; needs the book's key")

  static let help = Help(
    "export", "Write the events for other tools.", in: .audit,
    details: [
      "Each event is one line, in the order of the book. The last line of standard error "
        + "names the last position: `--after` continues there, and csv then has no line of "
        + "names.",
      "Personal data is exported as `sealed` (encrypted), or as `forgotten` if the account was erased. "
        + "--with-personal decrypts it; ocsf then holds the user's name alone. `--format jsonl "
        + "--with-personal --account A` is all that the book's events hold about one person. Export the "
        + "events of an archive with `--book`.",
      "ocsf holds logins, logouts, tickets, what comes before a login, and account "
        + "switches. It leaves out events that are no authentication.",
      "If the reader of a pipe ends early, the export counts as cancelled. It names no position, "
        + "because only the reader knows what it received.",
      "--since and --until select events by their own time. A clock may jump, so the export "
        + "reads to the end of the book. With --until the last line names the event that was "
        + "written last; do not continue there, because later events may have earlier "
        + "positions.",
      "The file appears only when it is complete.",
      ToldEvents.unchecked,
    ],
    options: [format, OutputFile.option, after, since, until, personal],
    examples: [
      "gatebook export --format ocsf -o june.jsonl --after 1200",
      "gatebook export --format csv -o events.csv",
    ], isAudit: true)

  func run(_ call: Call) async throws -> ExitCode {
    // Any other name was refused before.
    let format = ExportFormat(rawValue: try call.arguments.required(Self.format)) ?? .jsonLines
    let after =
      try call.arguments.integer(Self.after, in: 0...(.max)).map(Position.init(rawValue:)) ?? .start
    let reader = try reader(call)
    let account = try call.namedAccount(reader)?.account
    let end = Position(rawValue: try reader.head().size)
    guard after <= end else {
      throw UsageError(
        "`--after \(after)` is beyond the end of the book, which is at position \(end).",
        remedy: "Give the last position of an export of this book.")
    }
    // Where archives are only the book's key tells, which the export itself may do without.
    try PastRendering.refuse(after: after, reader, naming: call.readerAtHand)
    let work = Work(
      format: format, after: after, end: end, account: account,
      span: try TimeSpan.read(Self.since, Self.until, call))
    let file = try file(call, reader, isContinued: after > .start)
    let lines = try file.map { try WriteBehind($0.sink()) } ?? call.output.behind()
    let tally = try write(work, reader, lines, call)
    guard try lines.end() else { throw Self.unread }
    try file?.finish()
    if try after <= reader.continuation()?.floor ?? .start {
      try PastRendering.tell(reader, call.output)
    }
    call.output.message(tally.text(work))
    return .done
  }

  /// What is to be written.
  private struct Work {
    let format: ExportFormat
    let after: Position
    let end: Position
    let account: AccountID?
    let span: TimeSpan
  }

  /// How far an export has come.
  private struct Tally {
    var lines = 0
    /// The last event that was looked at.
    var last: Position
    /// The last event that was written.
    var written: Position?

    func text(_ work: Work) -> String {
      let events = "\(lines) \(lines == 1 ? "event" : "events")"
      // A reader that continued after the last examined one would miss those that were too late for
      // this time.
      guard work.span.end == nil else {
        return events + " of that time" + (written.map { ", the last at position \($0)." } ?? ".")
      }
      return "\(events) up to position \(last). To continue later, add `--after \(last)`."
    }
  }

  @MainActor private func reader(_ call: Call) throws -> BookReader {
    guard call.arguments.has(Self.personal) else {
      // An account's name may be needed to find it, and is not told.
      return call.globals.account == nil
        ? try BookReader.open(at: call.globals.book) : try call.reader()
    }
    return try call.keyedReader(
      "Personal data can be decrypted only with the book's key.", kept: "Nothing was written.",
      remedy: "Leave out `--key none` or `--with-personal`.")
  }

  @MainActor private func file(
    _ call: Call, _ reader: BookReader, isContinued: Bool
  ) throws -> OutputFile? {
    guard let path = OutputFile.path(call.arguments[OutputFile.option]) else { return nil }
    try call.checkOutput(path, reader)
    if isContinued, FileStatus(of: path)?.isRegular == true {
      throw UsageError(
        "That file exists. With `--after` the new file would hold only the later events.",
        remedy: "Choose another file, or leave out `-o` and let the shell append to it with `>>`.")
    }
    return try OutputFile.open(path, isPrivate: true)
  }

  @MainActor private func write(
    _ work: Work, _ reader: BookReader, _ output: WriteBehind, _ call: Call
  ) throws -> Tally {
    let opensPersonal = call.arguments.has(Self.personal)
    var writer = work.format.writer(reader, tellsNames: opensPersonal)
    var tally = Tally(last: work.after)
    var lines = work.after > .start ? [] : writer.heading
    while tally.last < work.end {
      guard !Task.isCancelled else { throw Self.cancelled(tally.last) }
      let last = try reader.scan(
        after: tally.last, upTo: work.end, of: work.account, limit: 2048,
        opensPersonal: opensPersonal
      ) { row throws(GatebookError) in
        guard work.span.contains(row.at) else { return }
        let length = lines.count
        try writer.append(row, to: &lines)
        guard lines.count > length else { return }
        tally.lines += 1
        tally.written = Position(rawValue: row.position)
      }
      // After the transaction: a slow reader must not keep it open.
      guard try output.write(&lines) else { throw Self.unread }
      tally.last = last ?? work.end
      call.progress.show("exporting: \(tally.last) of \(work.end) events")
    }
    guard try output.write(&lines) else { throw Self.unread }
    call.progress.finish()
    return tally
  }

  /// The last output may still be in the pipe: only the reader knows what it got.
  private static let unread = GatebookError(
    .cancelled, "The export was cancelled.",
    kept: "The reader of the output ended before the export did. The book was not changed.",
    remedy: "Continue with `--after` and the position of the last complete line that was received.")

  private static func cancelled(_ last: Position) -> GatebookError {
    GatebookError(
      .cancelled, "The export was cancelled after position \(last).",
      kept: "The book was not changed, and no incomplete file was left.",
      remedy: "Export again. On standard output the last line may be incomplete.")
  }
}
