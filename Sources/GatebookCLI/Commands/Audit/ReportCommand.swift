internal import Gatebook

/// `gatebook report`.
struct ReportCommand: Command {
  static let file = CommandOption.value(
    "-o", "FILE.html",
    "write to this file and replace it if it exists; `-` is standard output")
  static let since = CommandOption.value(
    "--since", "T", "only what happened from this time on")
  static let until = CommandOption.value(
    "--until", "T", "only what happened before this time; a day alone is included")

  private static let labels = CommandOption.flag(
    "--with-labels", "also show the labels of accounts; needs the book's key")

  static let help = Help(
    "report", "Write a report of the book as one page for a browser.", in: .audit,
    details: [
      "The page shows totals, the logins, refreshes and failures of each day, and the findings. Each "
        + "account has a timeline of its sessions that can be zoomed. A table of the newest "
        + "\(BookReport.mostRows) events can be searched.",
      "With --since and --until the page covers only that time. Each event counts by its own time; the "
        + "state of a session includes everything before.",
      "The page is one file and loads nothing. It can also be read without JavaScript and on paper.",
      "The page holds no personal data: accounts are named by their server and the beginning of their "
        + "id. --with-labels adds the labels.",
      "The file appears only when it is complete, and only its owner can read it.",
      ToldEvents.unchecked,
    ],
    positionals: [.account], options: [file, since, until, labels],
    examples: ["gatebook report -o sessions.html", "gatebook report work -o work.html"],
    isAudit: true)

  func run(_ call: Call) async throws -> ExitCode {
    let path = OutputFile.path(try call.arguments.required(Self.file))
    // An account's name may be needed to find it. The report itself is made without the key.
    let account = try call.namedAccount()?.account
    let time = try time(call)
    let reader = try BookReader.open(at: call.globals.book)
    if let path { try call.checkOutput(path, reader) }
    let file = try path.map { (path) throws(GatebookError) in
      try OutputFile.open(path, isPrivate: true)
    }
    let names = try call.arguments.has(Self.labels) ? Self.names(call) : AccountNames()
    let content = try content(time, account, names, reader, call)
    let page = try ReportPage(content, reader)
    var count = 0
    try page.write { bytes throws(GatebookError) in
      count += bytes.count
      guard let file else {
        call.output.bytes(bytes)
        // The gathered data must not grow with the page, and the reader may be gone.
        return try call.output.finish()
      }
      try file.write(bytes)
    } progress: { position throws(GatebookError) in
      try Self.check()
      call.progress.show("writing: \(position) of \(content.end) events")
    }
    try file?.finish()
    call.progress.finish()
    call.output.message(
      Printable.text(
        "\(path ?? "standard output"): \(Figure.text(content.report.events, "event", "events")), "
          + "\(Figure.text(count / 1024)) KiB."))
    return .done
  }

  /// The labels of the accounts, which only the book's key opens.
  @MainActor private static func names(_ call: Call) throws -> AccountNames {
    let reader = try call.keyedReader(
      "`--with-labels` needs the book's key.", kept: "No report was written.",
      remedy: "Leave out `--key none` or `--with-labels`.")
    return AccountNames(try reader.accounts(at: call.now))
  }

  /// The time that it is to tell of.
  @MainActor private func time(_ call: Call) throws -> TimeSpan {
    let span = try TimeSpan.read(Self.since, Self.until, call)
    if let start = span.start, start > call.now.wall {
      throw UsageError(
        "`--since` is in the future, so there is nothing to report.",
        remedy: "Give an earlier time.")
    }
    return span
  }

  @MainActor private func content(
    _ time: TimeSpan, _ account: AccountID?, _ names: AccountNames, _ reader: BookReader,
    _ call: Call
  ) throws -> ReportContent {
    let head = try reader.head()
    let end = Position(rawValue: head.size)
    let past = try reader.continuation()
    let archived = past?.archived ?? .start
    if archived > .start, let over = time.end(before: call.now.wall) {
      // Where archives are only the book's key tells, which the report itself does without.
      _ = try AsOf.position(over - .microseconds(1), call.readerAtHand() ?? reader)
    }
    let report = try reader.report(of: account, in: time, upTo: end, at: call.now) {
      position throws(GatebookError) in
      try Self.check()
      call.progress.show("reading: \(position) of \(end) events")
    }
    return ReportContent(
      report: report, time: time, book: reader.id, end: end, archived: archived,
      lost: past?.lostCount ?? 0,
      silent: archived > .start ? try silent(account, time, report, reader, call) : [],
      root: head.root, names: names, account: account,
      made: call.now.wall, times: call.output.times,
      zone: call.globals.isUTC ? .utc : call.surroundings.zone)
  }

  /// The accounts without an event in the book, by the state that it continues.
  @MainActor private func silent(
    _ account: AccountID?, _ time: TimeSpan, _ report: BookReport, _ reader: BookReader,
    _ call: Call
  ) throws -> [SessionContext] {
    let told = Set(report.lanes.compactMap(\.account))
    // Where there are as many lanes as there may be, further accounts with events have none.
    let room = BookReport.mostLanes - told.count
    return try reader.accounts(at: call.now).filter {
      // For a span only accounts with an event in it are reported.
      (account == nil || $0.account == account) && !told.contains($0.account)
        && (time == .whole || $0.state.isUsable)
    }.prefix(room).map(\.self)
  }

  private static func check() throws(GatebookError) {
    guard Task.isCancelled else { return }
    throw GatebookError(
      .cancelled, "The report was cancelled.",
      kept: "The book was not changed, and no incomplete file was left.",
      remedy: "Run the command again.")
  }
}
