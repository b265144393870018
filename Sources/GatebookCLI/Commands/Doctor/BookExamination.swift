internal import Gatebook

/// Looks at what a book says of itself.
@MainActor struct BookExamination {
  let call: Call
  let path: String
  let reader: BookReader

  /// Whether the file is a copy that was pulled from a fleet.
  var isPulled: Bool { (try? reader.isPulled()) == true }

  /// The book's accounts; a damaged book may not tell them.
  var accounts: [SessionContext] {
    get throws(GatebookError) { try reader.accounts() }
  }

  /// Looks at all of it.
  ///
  /// - Parameters:
  ///   - findings: What was found is added to it, also before an error.
  ///   - isLogWhole: Whether a fold of the log is one of all that happened.
  /// - Throws: For what cannot be read at all.
  func look(
    _ findings: inout [Observation], isLogWhole: Bool
  ) throws(GatebookError) {
    findings.append(try schema())
    findings.append(try clock())
    findings.append(try book())
    findings.append(try projections(isLogWhole: isLogWhole))
    findings.append(try outbox())
    findings += try wipes()
    findings += key(isLogWhole: isLogWhole)
    findings += try accountKeys()
    findings += try copies()
  }

  /// The clock against the last event, and against the accounts' servers.
  private func clock() throws(GatebookError) -> Observation {
    let now = call.now.wall
    let told = "This machine's clock says \(TimeText.machine(now))"
    if let last = try reader.events(EventFilter(limit: 1)).last, last.at - now > .seconds(300) {
      return .note(
        "clock",
        "\(told), which is \((last.at - now).units) before the last event of the book.",
        "Set this machine's clock. Until then Gatebook measures the lifetime of tokens by the time "
          + "since boot.")
    }
    for context in try accounts where context.state.isUsable {
      guard let offset = try reader.state(of: context.account)?.offset, abs(offset) > 300_000_000
      else { continue }
      let length = Duration.microseconds(abs(offset)).units
      return .note(
        "clock",
        "\(told). The clock of \(context.server) is \(length) \(offset < 0 ? "behind" : "ahead of") it.",
        "Find out which of the two clocks is wrong. The server may reject signed requests because of "
          + "the difference.")
    }
    return .good("clock", "\(told).")
  }

  private func book() throws(GatebookError) -> Observation {
    let accounts = try accounts
    let erased = accounts.count { $0.state == .ended(.erased) }
    let gone = erased == 0 ? "" : " (\(erased) erased)"
    let past = try reader.continuation()
    let lost = past?.lostCount ?? 0
    let count = try reader.head().size - (past?.archived.rawValue ?? 0) - lost
    let missing = lost == 0 ? "" : " (\(lost) more are lost)"
    return .good(
      "book",
      "\(count) event\(count == 1 ? "" : "s")\(missing), \(accounts.count) account\(accounts.count == 1 ? "" : "s")\(gone); key source: \(reader.keySource)."
    )
  }

  private func projections(isLogWhole: Bool) throws(GatebookError) -> Observation {
    guard let problem = try reader.checkProjections().problems.first else {
      return .good("projections", "Accounts and sessions agree with the log.")
    }
    return try damaged(
      "projections", problem,
      isLogWhole
        ? "Run `gatebook rebuild`."
        : "Do not rebuild it: the log is damaged, and the stored state may be right.")
  }

  /// Whether nobody else's tables and triggers are in the file, and none is missing.
  private func schema() throws(GatebookError) -> Observation {
    let problems = try reader.schemaProblems()
    guard !problems.isEmpty else {
      return .good("schema", "Tables, indexes and triggers are as Gatebook makes them.")
    }
    let most = 5
    let rest = problems.count > most ? ["\(problems.count - most) more differ."] : []
    return try damaged(
      "schema", (problems.prefix(most) + rest).joined(separator: " "),
      "Keep this file unchanged: the changes may run with every write. `gatebook recover -o FILE` "
        + "makes a new book from its events.")
  }

  /// What is wrong with the file: an archive is one of several copies, and nothing writes to it.
  func damaged(
    _ subject: String, _ text: String, _ remedy: String
  ) throws(GatebookError) -> Observation {
    .bad(
      subject, text,
      isPulled
        ? "Delete this copy, and pull the book from the fleet again."
        : try reader.isArchive()
          ? "Keep this file unchanged, and use another copy of the archive." : remedy)
  }

  private func outbox() throws(GatebookError) -> Observation {
    var waiting = 0
    for context in try accounts {
      waiting += try reader.state(of: context.account)?.outbox.count ?? 0
    }
    guard waiting > 0 else { return .good("outbox", "No message is waiting for a server.") }
    return .note(
      "outbox",
      waiting == 1
        ? "1 message for a server is waiting." : "\(waiting) messages for servers are waiting.",
      "`gatebook sync\(call.givenPlace)` tells the servers which sessions have ended.")
  }

  /// Destroyed keys that are not wiped yet.
  private func wipes() throws(GatebookError) -> [Observation] {
    let count = try reader.unwipedKeys()
    guard count > 0 else { return [] }
    let what =
      count == 1
      ? "The key of an erased account is still" : "The keys of \(count) erased accounts are still"
    return [
      .note(
        "erase",
        "\(what) in the write-ahead log, because a program is reading an older state of the book.",
        Examination.stopReader(call))
    ]
  }

  /// Copies of the book, above all those with keys that were to be destroyed.
  private func copies() throws(GatebookError) -> [Observation] {
    let source = call.globals.key == .none ? nil : try? call.keySource(mayAsk: false)
    let opened = source.flatMap { try? BookReader.open(at: path, key: $0) } ?? reader
    let all = try opened.copies()
    guard !all.isEmpty else {
      // An archive is a copy itself, and nothing is copied of it; a pulled book is one of a
      // fleet's.
      guard try !reader.isArchive(), !isPulled else { return [] }
      return [
        .note(
          "backups", "No backup was made with `gatebook backup`.",
          "Make one, and back up the key too, in a different place.")
      ]
    }
    var late: Set<CopyID> = []
    for context in try accounts where context.state == .ended(.erased) {
      for copy in try opened.copies(withKeyOf: context.account) { late.insert(copy.id) }
    }
    return all.map { copy in
      let text = copy.text(call.output.times)
      guard late.contains(copy.id) else {
        return copy.events == nil ? .note("backups", "\(text).") : .good("backups", "\(text).")
      }
      return .note(
        "backups", "\(text): it may hold the key of an account that was erased later.",
        copy.kind == .archive
          ? "Keep it in a different place than the book's key. Do not delete it: the book no longer "
            + "holds these events."
          : "Delete it unless you need it. `gatebook backup` makes one without that key.")
    }
  }
}
