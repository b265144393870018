/// One field of a ``LoginForm``.
public struct LoginField: Sendable, Hashable {
  /// What is entered.
  public enum Kind: Sendable, Hashable {
    /// A line of text.
    case text
    /// An email address.
    case email
    /// A password: it is not shown and never filled in again.
    case password
    /// A whole number.
    case number
    /// A port: a number from 1 to 65535.
    case port
    /// The name or the address of a host.
    case host
    /// A switch; its value is `on` or empty.
    case toggle
  }

  /// What a field is called.
  enum Label: Sendable, Hashable {
    /// A text of the page, in the person's language.
    case known(PageText)
    /// A text of the app.
    case text(String)
  }

  /// The name under which ``LoginAnswers`` has the answer: letters and digits.
  public let name: String
  /// What is entered.
  public let kind: Kind
  let label: Label
  let hint: PageText?
  /// What is filled in at first; `on` or empty for a switch.
  public var value: String
  /// Whether it must be filled in.
  public var isRequired: Bool
  /// What a browser may fill in automatically, such as `username` (HTML Standard, section
  /// 4.10.18.7).
  let autocomplete: String

  /// Makes a field of an app.
  ///
  /// - Parameters:
  ///   - name: Its name, of letters and digits.
  ///   - kind: What is entered.
  ///   - label: What it is called, in the person's language.
  ///   - value: What is filled in at first; `on` sets a switch.
  ///   - isRequired: Whether it must be filled in.
  public init(
    _ name: String, _ kind: Kind = .text, label: String, value: String = "",
    isRequired: Bool = true
  ) {
    self.init(name, kind, .text(label), value: value, isRequired: isRequired)
  }

  init(
    _ name: String, _ kind: Kind, _ label: Label, value: String = "", isRequired: Bool = true,
    hint: PageText? = nil, autocomplete: String = "off"
  ) {
    self.name = name
    self.kind = kind
    self.label = label
    self.value = value
    self.isRequired = isRequired && kind != .toggle
    self.hint = hint
    self.autocomplete = autocomplete
  }
}

extension LoginField {
  /// The name of the field for the user.
  public static let userName = "user"
  /// The name of the field for the password.
  public static let passwordName = "password"

  /// The field for the user's name.
  public static func user(_ value: String = "") -> LoginField {
    LoginField(userName, .text, .known(.user), value: value, autocomplete: "username")
  }

  /// The field for the user's email address.
  public static func email(_ value: String = "") -> LoginField {
    LoginField(userName, .email, .known(.email), value: value, autocomplete: "username")
  }

  /// The field for the user's screen name.
  public static func screenName(_ value: String = "") -> LoginField {
    LoginField(userName, .text, .known(.screenName), value: value, autocomplete: "username")
  }

  /// The field for the user's number.
  public static func userID(_ value: String = "") -> LoginField {
    LoginField(userName, .number, .known(.userID), value: value, autocomplete: "username")
  }

  /// The field for the password.
  public static var password: LoginField {
    LoginField(passwordName, .password, .known(.password), autocomplete: "current-password")
  }

  /// The field for a client's secret.
  public static var clientSecret: LoginField {
    LoginField(LoginForm.clientSecretName, .password, .known(.clientSecret))
  }

  static func toggle(
    _ name: String, _ label: PageText, isOn: Bool, hint: PageText? = nil
  ) -> LoginField {
    LoginField(name, .toggle, .known(label), value: isOn ? "on" : "", hint: hint)
  }
}
