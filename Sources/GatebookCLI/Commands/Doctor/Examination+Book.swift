internal import Gatebook

extension Examination {
  /// The clock against the last event, and against the accounts' servers.
  func clock(_ reader: BookReader) throws(GatebookError) -> Observation {
    let now = call.now.wall
    var filter = EventFilter()
    filter.limit = 1
    if let last = try reader.events(filter).last, last.at - now > .seconds(300) {
      return Observation(
        "clock", .note,
        "This machine's clock says \(TimeText.machine(now)), which is \(TimeText.text(last.at - now)) "
          + "before the last event of the book.",
        remedy:
          "Set this machine's clock. Until then Gatebook measures the lifetime of tokens by the time "
          + "since boot.")
    }
    for context in try reader.accounts() where context.state.isUsable {
      guard let offset = try reader.state(of: context.account)?.offset, abs(offset) > 300_000_000
      else { continue }
      let length = TimeText.text(.microseconds(abs(offset)))
      return Observation(
        "clock", .note,
        "This machine's clock says \(TimeText.machine(now)). The clock of \(context.server) is "
          + "\(length) \(offset < 0 ? "behind" : "ahead of") it.",
        remedy:
          "Find out which of the two clocks is wrong. The server may reject signed requests because of "
          + "the difference.")
    }
    return Observation("clock", .good, "This machine's clock says \(TimeText.machine(now)).")
  }

  func book(_ reader: BookReader) throws(GatebookError) -> Observation {
    let head = try reader.head()
    let accounts = try reader.accounts()
    let erased = accounts.count { $0.state == .ended(.erased) }
    let gone = erased == 0 ? "" : " (\(erased) erased)"
    let past = try reader.continuation()
    let lost = past?.lostCount ?? 0
    let count = head.size - (past?.archived.rawValue ?? 0) - lost
    let missing = lost == 0 ? "" : " (\(lost) more are lost)"
    return Observation(
      "book", .good,
      "\(count) event\(count == 1 ? "" : "s")\(missing), \(accounts.count) account\(accounts.count == 1 ? "" : "s")\(gone); key source: \(reader.keySource)."
    )
  }

  func projections(
    _ reader: BookReader, isWhole: Bool
  ) throws(GatebookError) -> Observation {
    let verdict = try reader.checkProjections()
    guard let problem = verdict.problems.first else {
      return Observation("projections", .good, "Accounts and sessions agree with the log.")
    }
    return Observation(
      "projections", .bad, problem,
      remedy: try reader.isArchive()
        ? "Keep this file unchanged, and use another copy of the archive."
        : isWhole
          ? "Run `gatebook rebuild`."
          : "Do not rebuild it: the log is damaged, and the stored state may be right.")
  }

  /// Whether nobody else's tables and triggers are in the file, and none is missing.
  func schema(_ reader: BookReader) throws(GatebookError) -> Observation {
    let problems = try reader.schemaProblems()
    guard !problems.isEmpty else {
      return Observation(
        "schema", .good, "Tables, indexes and triggers are as Gatebook makes them.")
    }
    let most = 5
    let rest = problems.count > most ? ["\(problems.count - most) more differ."] : []
    return Observation(
      "schema", .bad, (problems.prefix(most) + rest).joined(separator: " "),
      remedy: try reader.isArchive()
        ? "Keep this file unchanged, and use another copy of the archive."
        : "Keep this file unchanged: the changes may run with every write. `gatebook recover -o FILE` "
          + "makes a new book from its events.")
  }

  func outbox(_ reader: BookReader) throws(GatebookError) -> Observation {
    var waiting = 0
    for context in try reader.accounts() {
      waiting += try reader.state(of: context.account)?.outbox.count ?? 0
    }
    guard waiting > 0 else {
      return Observation("outbox", .good, "No message is waiting for a server.")
    }
    let deliveries =
      waiting == 1
      ? "1 message for a server is waiting" : "\(waiting) messages for servers are waiting"
    return Observation(
      "outbox", .note, "\(deliveries).",
      remedy:
        "`gatebook sync\(call.givenPlace)` tells the servers which sessions have ended."
    )
  }

  /// Destroyed keys that are not wiped yet.
  func wipes(_ reader: BookReader) throws(GatebookError) -> [Observation] {
    let count = try reader.unwipedKeys()
    guard count > 0 else { return [] }
    let what =
      count == 1
      ? "The key of an erased account is still" : "The keys of \(count) erased accounts are still"
    return [
      Observation(
        "erase", .note,
        "\(what) in the write-ahead log, because a program is reading an older state of the book.",
        remedy:
          "Stop the program that reads the book, then run a command that writes, such as `gatebook "
          + "sync\(call.givenPlace)`."
      )
    ]
  }

  /// Copies of the book, above all those with keys that were to be destroyed.
  func copies(_ reader: BookReader) throws(GatebookError) -> [Observation] {
    let source = call.globals.key == .none ? nil : try? call.keySource(mayAsk: false)
    let opened = source.flatMap { try? BookReader.open(at: path, key: $0) } ?? reader
    let all = try opened.copies()
    guard !all.isEmpty else {
      // An archive is a copy itself, and nothing is copied of it.
      guard try !reader.isArchive() else { return [] }
      return [
        Observation(
          "backups", .note, "No backup was made with `gatebook backup`.",
          remedy: "Make one, and back up the key too, in a different place.")
      ]
    }
    var late: Set<CopyID> = []
    for context in try opened.accounts() where context.state == .ended(.erased) {
      for copy in try opened.copies(withKeyOf: context.account) { late.insert(copy.id) }
    }
    return all.map { copy in
      let text = CopyRendering(copy).text(call.output.times)
      guard late.contains(copy.id) else {
        return Observation("backups", copy.events == nil ? .note : .good, "\(text).")
      }
      return Observation(
        "backups", .note, "\(text): it may hold the key of an account that was erased later.",
        remedy: copy.kind == .archive
          ? "Keep it in a different place than the book's key. Do not delete it: the book no longer "
            + "holds these events."
          : "Delete it unless you need it. `gatebook backup` makes one without that key.")
    }
  }

  /// Whether the log agrees with itself.
  ///
  /// - Returns: What was found, and whether a fold of the log is one of all that happened.
  func integrity() async -> (observation: Observation, isLogWhole: Bool) {
    do throws(GatebookError) {
      let verdict = try await BookVerifier(path: path).verify()
      return (Self.integrity(verdict), verdict.isLogWhole)
    } catch {
      return (Observation("integrity", .bad, error.message, remedy: error.remedy), false)
    }
  }

  private static func integrity(_ verdict: Verdict) -> Observation {
    if let problem = verdict.problems.first, !verdict.isLogWhole {
      return Observation(
        "integrity", .bad, problem,
        remedy:
          "Keep this file unchanged; `gatebook verify` shows which events are still proven. Continue "
          + "with an undamaged backup. Without one, `gatebook recover -o FILE` makes a new book from what "
          + "can be read.")
    }
    // Wrong summaries are reported with the projections, because the same remedy repairs them.
    let what = verdict.ok ? "The book" : "The log"
    let doubts = RecoveredPast(verdict.continuation)?.doubts ?? []
    guard doubts.isEmpty else {
      return Observation(
        "integrity", .note,
        "\(what) agrees with itself. It was recovered from a damaged book. "
          + "\(doubts.joined(separator: " "))",
        remedy:
          "`gatebook verify` shows where. Compare the book with a copy or a checkpoint from before the "
          + "recovery.")
    }
    return Observation("integrity", .good, "\(what) agrees with itself.")
  }
}
