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
