internal import Gatebook

/// Looks at a book and at what it needs around it; writes nothing.
@MainActor struct Examination {
  let call: Call
  /// Whether the accounts' servers are asked whether they are there.
  let asksServers: Bool
  var path: String { BookPath.following(call.globals.book) }

  /// All findings: about the program's needs, the book's surroundings, and the book.
  func findings() async -> [Observation] {
    var findings = [program, sqlite, curl, suffixes] + surroundings
    do throws(GatebookError) {
      let reader = try BookReader.open(at: path)
      reader.heedCancellation()
      call.progress.show("checking", events: try reader.head().size)
      let (log, isLogWhole) = await integrity()
      // What a damaged log makes of the rest is not to be mended before it.
      if log.grade == .bad { findings.append(log) }
      try BookExamination(call: call, path: path, reader: reader)
        .look(&findings, isLogWhole: isLogWhole)
      if asksServers { findings += await servers(try reader.accounts()) }
      if log.grade != .bad { findings.append(log) }
    } catch {
      findings.append(.bad("book", error.message, ErrorReport.of(error).remedy))
    }
    return findings
  }

  /// Whether the log agrees with itself.
  ///
  /// - Returns: What was found, and whether a fold of the log is one of all that happened.
  private func integrity() async -> (observation: Observation, isLogWhole: Bool) {
    do throws(GatebookError) {
      let verdict = try await BookVerifier(path: path).verify()
      return (Self.integrity(verdict), verdict.isLogWhole)
    } catch {
      return (.bad("integrity", error.message, error.remedy), false)
    }
  }

  private static func integrity(_ verdict: Verdict) -> Observation {
    if let problem = verdict.problems.first, !verdict.isLogWhole {
      return .bad(
        "integrity", problem,
        "Keep this file unchanged; `gatebook verify` shows which events are still proven. Continue "
          + "with an undamaged backup. Without one, `gatebook recover -o FILE` makes a new book from what "
          + "can be read.")
    }
    // Wrong summaries are reported with the projections, because the same remedy repairs them.
    let whole = verdict.ok ? "The book agrees with itself." : "The log agrees with itself."
    let doubts = RecoveredPast(verdict.continuation)?.doubts ?? []
    guard !doubts.isEmpty else { return .good("integrity", whole) }
    return .note(
      "integrity",
      "\(whole) It was recovered from a damaged book. \(doubts.joined(separator: " "))",
      "`gatebook verify` shows where. Compare the book with a copy or a checkpoint from before the "
        + "recovery.")
  }
}

/// What `doctor` found at one place.
struct Observation: Hashable, Sendable {
  /// How it is.
  enum Grade: String, Sendable {
    /// As it should be.
    case good
    /// Worth knowing; nothing is broken.
    case note
    /// Something is wrong.
    case bad
  }

  /// What was looked at.
  let subject: String
  let grade: Grade
  /// What was found.
  let text: String
  /// What to do about it; `nil` for nothing.
  let remedy: String?

  private init(_ subject: String, _ grade: Grade, _ text: String, _ remedy: String?) {
    self.subject = subject
    self.grade = grade
    self.text = text
    // It may be an error's remedy.
    self.remedy = remedy.map(CommandNames.replacingAPI)
  }

  static func good(_ subject: String, _ text: String, _ remedy: String? = nil) -> Observation {
    Observation(subject, .good, text, remedy)
  }

  static func note(_ subject: String, _ text: String, _ remedy: String? = nil) -> Observation {
    Observation(subject, .note, text, remedy)
  }

  static func bad(_ subject: String, _ text: String, _ remedy: String) -> Observation {
    Observation(subject, .bad, text, remedy)
  }

  /// One object for programs.
  var json: JSON {
    .present([
      "subject": .text(subject), "grade": .text(grade.rawValue), "text": .text(text),
      "remedy": remedy.map(JSON.text),
    ])
  }
}
