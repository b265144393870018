import Gatebook
import GatebookSystem
import Testing

@testable import GatebookLoginPage

/// Where a failed login shows on the form.
@Suite struct FailureTests {
  private static let gateway = LoginForm.fcsdk()
  private static let plain = [LoginField.user(), .password]

  private static func error(_ code: FailureCode, setting: String? = nil) -> GatebookError {
    GatebookError(code, "Technical.", remedy: "Mend it.").with(\.setting, setting)
  }

  @Test(
    arguments: [
      (.credentialsRefused, "password", .wrongCredentials),
      (.sessionRefused, "password", .wrongCredentials),
      (.challengeBlocked, "password", .blocked),
      (.networkUnreachable, "server", .unreachable),
      (.tlsUntrusted, "acceptsCertificates", .untrustedCertificate),
      (.tlsKeyChanged, "acceptsCertificates", .changedCertificate),
      (.loginCleartext, "secure", .cleartext),
      (.serverUnavailable, nil, .serverInTrouble), (.serverRefused, nil, .serverRefused),
      (.tokenRefused, nil, .serverRefused), (.codeRefused, nil, .serverRefused),
      (.scopeMissing, nil, .serverRefused), (.contentUnexpected, nil, .unexpectedAnswer),
      (.serverMoved, nil, .unexpectedAnswer), (.stateMismatch, nil, .unexpectedAnswer),
      (.loginUnprovable, nil, .unprovable), (.challengeUnhandled, nil, .unprovable),
      (.identityMismatch, nil, .anotherUser), (.configurationInvalid, nil, .wrongSettings),
      (.originForeign, nil, .wrongSettings), (.loginInProgress, nil, .inProgress),
      (.challengeTimedOut, nil, .tooLate), (.storageFull, nil, .bookFull),
      (.outcomeUnknown, nil, .outcomeUnknown), (.storageBusy, nil, .bookUnusable),
      (.limitExceeded, nil, .otherFailure),
    ] as [(FailureCode, String?, PageText)])
  func `a failure is at the field that it belongs to`(
    _ code: FailureCode, _ field: String?, _ text: PageText
  ) {
    var view = FormView(server: "", fields: Self.gateway.allFields(saving: false))
    view.mistakes["user"] = .known(.missing)
    view.take(Self.error(code), LoginForm.Refusal(words: "Said.", attemptsLeft: 2))
    if let field {
      #expect(view.mistakes == [field: .refused(text, server: "Said.", attemptsLeft: 2)])
      #expect(view.failure == nil)
      #expect(view.focused == field)
    } else {
      #expect(view.mistakes.isEmpty)
      #expect(view.failure?.text == text)
      #expect(view.failure?.error.code == code)
    }
    // A form without the field shows it above.
    var other = FormView(server: "https://a.example", fields: [LoginField.user()])
    other.take(Self.error(code), LoginForm.Refusal())
    #expect(other.mistakes.isEmpty)
    #expect(other.failure?.text == text)
  }

  @Test func `a wrong setting is at its field, where the form has it`() {
    var view = FormView(server: "", fields: Self.gateway.fields)
    view.take(Self.error(.configurationInvalid, setting: "port"), LoginForm.Refusal())
    #expect(
      view.mistakes == ["port": .refused(.wrongSettings, server: "", attemptsLeft: nil)])
    view.take(Self.error(.configurationInvalid, setting: "proxy"), LoginForm.Refusal())
    #expect(view.mistakes.isEmpty)
    #expect(view.failure?.text == .wrongSettings)
  }

  @Test func `the next answer forgets what was wrong before`() {
    var view = FormView(server: "", fields: Self.plain)
    view.take(Self.error(.serverRefused), LoginForm.Refusal())
    let isWrong = view.takeMistakes(in: LoginAnswers(["user": "ada"]))
    #expect(isWrong)
    #expect(view.mistakes == ["password": .known(.missing)])
    #expect(view.failure == nil)
    let answers = LoginAnswers(["user": "ada"], secrets: ["password": Secret("x")])
    let isStillWrong = view.takeMistakes(in: answers)
    #expect(!isStillWrong)
    #expect(view.mistakes.isEmpty)
  }

  @Test func `the focus is at the first mistake, else at the first empty field`() {
    var view = FormView(server: "", fields: Self.plain)
    #expect(view.focused == "user")
    view.refill(LoginAnswers(["user": "ada"], secrets: ["password": Secret("x")]))
    #expect(view.focused == "password")
    view.mistakes["user"] = .known(.tooLong)
    #expect(view.focused == "user")
    let toggles = FormView(server: "", fields: [LoginField("a", .toggle, label: "A")])
    #expect(toggles.focused == "a")
  }
}
