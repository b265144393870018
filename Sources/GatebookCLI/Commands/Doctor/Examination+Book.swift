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
        "It is \(TimeText.machine(now)): \(TimeText.text(last.at - now)) before the last event of the "
          + "book.",
        remedy:
          "Set the clock of this machine; lives of tokens are counted on the boot clock meanwhile.")
    }
    for context in try reader.accounts() where context.state.isUsable {
      guard let offset = try reader.state(of: context.account)?.offset, abs(offset) > 300_000_000
      else { continue }
      let length = TimeText.text(.microseconds(abs(offset)))
      return Observation(
        "clock", .note,
        "It is \(TimeText.machine(now)); the clock of \(context.server) is \(length) "
          + "\(offset < 0 ? "behind" : "ahead").",
        remedy: "Find out which of both is right; what is signed with a time may be refused.")
    }
    return Observation("clock", .good, "It is \(TimeText.machine(now)).")
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
        ? "Keep this file as it is, and use another copy of the archive."
        : isWhole
          ? "Run `gatebook rebuild`."
          : "Leave it so: it may be right, and a damaged log is not to be folded anew.")
  }

  /// Whether nobody else's tables and triggers are in the file, and none is missing.
  func schema(_ reader: BookReader) throws(GatebookError) -> Observation {
    let problems = try reader.schemaProblems()
    guard !problems.isEmpty else {
      return Observation("schema", .good, "Tables, indexes and triggers are those of Gatebook.")
    }
    let most = 5
    let rest = problems.count > most ? ["\(problems.count - most) more differ."] : []
    return Observation(
      "schema", .bad, (problems.prefix(most) + rest).joined(separator: " "),
      remedy: try reader.isArchive()
        ? "Keep this file as it is, and use another copy of the archive."
        : "Keep this file as it is: what was put into it may act on each write. `gatebook recover -o FILE` "
          + "makes a new book of its events, as Gatebook makes one.")
  }

  func outbox(_ reader: BookReader) throws(GatebookError) -> Observation {
    var waiting = 0
    for context in try reader.accounts() {
      waiting += try reader.state(of: context.account)?.outbox.count ?? 0
    }
    guard waiting > 0 else { return Observation("outbox", .good, "Nothing waits for a server.") }
    let deliveries =
      waiting == 1 ? "1 delivery to a server waits" : "\(waiting) deliveries to servers wait"
    return Observation(
      "outbox", .note, "\(deliveries).",
      remedy:
        "`gatebook sync\(call.givenPlace)` delivers them: logouts and revocations that no server has been told."
    )
  }

  /// Destroyed keys that are not wiped yet.
  func wipes(_ reader: BookReader) throws(GatebookError) -> [Observation] {
    let count = try reader.unwipedKeys()
    guard count > 0 else { return [] }
    let what =
      count == 1
      ? "An erased account's key still stands" : "\(count) erased accounts' keys still stand"
    return [
      Observation(
        "erase", .note,
        "\(what) in the write-ahead log, for somebody reads an older state of the book.",
        remedy:
          "End what reads the book, then run a command that writes, such as `gatebook sync\(call.givenPlace)`."
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
          "backups", .note, "None was made with `gatebook backup`.",
          remedy: "Make one, and keep a copy of the key apart from it.")
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
        "backups", .note, "\(text): it may hold the key of an account that was erased since.",
        remedy: copy.kind == .archive
          ? "It alone has what happened before: keep it apart from the book's key."
          : "Destroy it unless you need it; `gatebook backup` makes one without that key.")
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
          "Keep this file as it is; `gatebook verify` tells what still holds. Go on with a whole backup, or "
          + "let `gatebook recover -o FILE` make a new book of what can be read.")
    }
    // Wrong summaries stand with the projections, which the same remedy mends.
    let what = verdict.ok ? "The book" : "The log"
    let doubts = RecoveredPast(verdict.continuation)?.doubts ?? []
    guard doubts.isEmpty else {
      return Observation(
        "integrity", .note,
        "\(what) agrees with itself, and was recovered. \(doubts.joined(separator: " "))",
        remedy: "`gatebook verify` says where; a copy or a checkpoint from before tells more.")
    }
    return Observation("integrity", .good, "\(what) agrees with itself.")
  }
}
