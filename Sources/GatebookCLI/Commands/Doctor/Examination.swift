internal import Gatebook

/// Looks at a book and at what it needs around it; writes nothing.
@MainActor struct Examination {
  let call: Call
  /// Whether the accounts' servers are asked whether they are there.
  let asksServers: Bool
  var path: String { BookPath.following(call.globals.book) }

  init(_ call: Call, asksServers: Bool) {
    self.call = call
    self.asksServers = asksServers
  }

  /// All findings: about the program's needs, the book's surroundings, and the book.
  func findings() async -> [Observation] {
    var findings = [program, sqlite, curl, suffixes]
    findings += surroundings
    do throws(GatebookError) {
      let reader = try BookReader.open(at: path)
      reader.heedCancellation()
      call.progress.show("checking", events: try reader.head().size)
      let (integrity, isLogWhole) = await integrity()
      // What a damaged log makes of the rest is not to be mended before it.
      if integrity.grade == .bad { findings.append(integrity) }
      findings.append(try schema(reader))
      findings.append(try clock(reader))
      findings.append(try book(reader))
      findings.append(try projections(reader, isWhole: isLogWhole))
      findings.append(try outbox(reader))
      findings += try wipes(reader)
      findings += key(reader)
      findings += try accountKeys(reader)
      findings += try copies(reader)
      if asksServers { findings += await servers(try reader.accounts()) }
      if integrity.grade != .bad { findings.append(integrity) }
    } catch {
      findings.append(Observation("book", .bad, error.message, remedy: error.remedy))
    }
    return findings
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

  init(_ subject: String, _ grade: Grade, _ text: String, remedy: String? = nil) {
    self.subject = subject
    self.grade = grade
    self.text = text
    // It may be an error's remedy.
    self.remedy = remedy.map(CommandNames.replacingAPI)
  }

  /// One object for programs.
  var json: JSON {
    .present([
      "subject": .text(subject), "grade": .text(grade.rawValue), "text": .text(text),
      "remedy": remedy.map(JSON.text),
    ])
  }
}
