internal import Gatebook

/// A form as it is shown: what was filled in, and what is wrong with it.
struct FormView: Sendable {
  /// What the form is for.
  enum Purpose: Sendable {
    /// A login.
    case login
    /// The password of a server or a proxy on the way (RFC 9110 section 11).
    case password(of: Origin, isProxy: Bool, realm: String?)
  }

  /// What it is for.
  var purpose = Purpose.login
  /// The server, as the page names it; empty where the form itself asks for it.
  var server: String
  /// The fields, with what was filled in.
  var fields: [LoginField]
  /// What is wrong with fields, by their names.
  var mistakes: [String: FieldMistake] = [:]
  /// What went wrong as a whole.
  var failure: (text: PageText, error: GatebookError)?

  /// Fills in what was answered, so that nothing is typed again; passwords are.
  mutating func refill(_ answers: LoginAnswers) {
    for index in fields.indices where fields[index].kind != .password {
      fields[index].value = answers[fields[index].name]
    }
  }

  /// Finds what is wrong with answers, and shows it.
  ///
  /// - Returns: Whether anything is.
  mutating func takeMistakes(in answers: LoginAnswers) -> Bool {
    failure = nil
    mistakes = [:]
    for field in fields { mistakes[field.name] = field.mistake(in: answers) }
    return !mistakes.isEmpty
  }

  /// The field that has the focus: the first with a mistake, else the first that is empty.
  var focused: String? {
    let wrong = fields.first { mistakes[$0.name] != nil }
    let empty = fields.first { $0.kind != .toggle && $0.value.isEmpty }
    return (wrong ?? empty ?? fields.first)?.name
  }
}
