public import Gatebook
internal import GatebookSystem

/// What was filled in, by the names of the fields.
public struct LoginAnswers: Sendable {
  private var texts: [String: String] = [:]
  private var secrets: [String: Secret] = [:]

  /// Makes answers, such as for the test of a form.
  ///
  /// - Parameters:
  ///   - texts: The answers that may be shown.
  ///   - secrets: The answers to fields of the kind ``LoginField/Kind/password``.
  public init(_ texts: [String: String] = [:], secrets: [String: Secret] = [:]) {
    self.texts = texts
    self.secrets = secrets
  }

  /// Reads the answers to a form's fields; of what comes twice the first counts.
  init(_ fields: [LoginField], _ submission: FormFields) {
    for field in fields {
      let value = submission[field.name] ?? ""
      if field.kind == .password {
        secrets[field.name] = Secret(value)
      } else {
        texts[field.name] = Self.trimmed(value)
      }
    }
  }

  /// A text without the blanks that were pasted around it; empty for a field that there is not.
  public subscript(name: String) -> String { texts[name] ?? "" }

  /// What a field of the kind ``LoginField/Kind/password`` holds; empty for another field.
  public func secret(_ name: String = LoginField.passwordName) -> Secret {
    secrets[name] ?? Secret("")
  }

  /// Whether a switch is on.
  public func isOn(_ name: String) -> Bool { self[name] == "on" }

  /// The user: what the field ``LoginField/userName`` holds.
  public var user: String { self[LoginField.userName] }

  private static func trimmed(_ text: String) -> String {
    let isBlank = { (character: Character) in
      character.isNewline || " \t\u{A0}\u{FEFF}".contains(character)
    }
    let start = text.drop(while: isBlank)
    return start.lastIndex(where: { !isBlank($0) }).map { String(start[...$0]) } ?? ""
  }
}
