import Gatebook
import GatebookSystem
import Testing

@testable import GatebookLoginPage

@Suite struct LoginFieldTests {
  private static func sent(_ pairs: (String, String)...) throws -> FormFields {
    try #require(FormFields(decoding: Array(FormBody.of(pairs).utf8)))
  }

  @Test(
    arguments: [
      (.text, "ada", nil), (.text, "  ada\t", nil), (.text, "ada\n", nil),
      (.text, "\r\n ada\r", nil),
      (.text, "", .missing), (.text, " \t ", .missing), (.text, "\u{A0}\u{FEFF}", .missing),
      (.text, "a\u{0}b", .notText), (.text, "a\nb", .notText), (.text, "a\u{7F}b", .notText),
      (.text, String(repeating: "a", count: 8192), nil),
      (.text, String(repeating: "a", count: 8193), .tooLong),
      (.text, String(repeating: "ä", count: 4097), .tooLong),
      (.email, "ada@portal.example", nil), (.email, "no address", nil), (.email, "", .missing),
      (.number, "123456", nil), (.number, " 7 ", nil), (.number, "0", .notANumber),
      (.number, "-1", .notANumber), (.number, "1.5", .notANumber), (.number, "abc", .notANumber),
      (.number, "99999999999999999999", .notANumber), (.number, "٣", .notANumber),
      (.port, "1", nil), (.port, "65535", nil), (.port, "0", .notAPort),
      (.port, "65536", .notAPort),
      (.port, "443x", .notAPort), (.port, "", .missing),
      (.host, "gateway.example", nil), (.host, "127.0.0.1", nil), (.host, "::1", nil),
      (.host, "[::1]", nil), (.host, "localhost", nil),
      (.host, "https://gateway.example", .notAServer), (.host, "gateway.example/", .notAServer),
      (.host, "gateway.example:8443", .notAServer), (.host, "ada@gateway.example", .notAServer),
      (.host, "a b", .notAServer), (.host, "a?b", .notAServer), (.host, "a#b", .notAServer),
      (.host, "a\\b", .notAServer), (.host, "[::1]:443", .notAServer), (.host, ":", .notAServer),
      (.toggle, "", nil), (.toggle, "on", nil),
    ] as [(LoginField.Kind, String, PageText?)])
  func `an answer has its mistake`(
    _ kind: LoginField.Kind, _ text: String, _ mistake: PageText?
  )
    throws
  {
    let field = LoginField("field", kind, label: "Field")
    let answers = LoginAnswers([field], try Self.sent(("field", text)))
    #expect(field.mistake(in: answers) == mistake.map { .known($0) })
  }

  @Test(
    arguments: [
      ("", .missing), (" ", nil), ("a\nb", nil), ("\u{0}", .notText), ("p&ss=w+rd: 100%ä", nil),
      (String(repeating: "a", count: 8192), nil),
      (String(repeating: "a", count: 8193), .tooLong),
    ] as [(String, PageText?)])
  func `a password may have blanks`(_ text: String, _ mistake: PageText?) throws {
    let answers = LoginAnswers([.password], try Self.sent(("password", text)))
    #expect(LoginField.password.mistake(in: answers) == mistake.map { .known($0) })
    // It is as it was typed.
    #expect(answers.secret().withBytes { Array($0) } == Array(text.utf8))
    #expect(answers["password"].isEmpty)
  }

  @Test func `what must not be filled in may be empty, and is checked otherwise`() throws {
    let field = LoginField("port", .port, label: "Port", isRequired: false)
    #expect(field.mistake(in: LoginAnswers()) == nil)
    #expect(field.mistake(in: LoginAnswers(["port": "x"])) == .known(.notAPort))
    #expect(!LoginField("on", .toggle, label: "On").isRequired)
  }

  @Test func `answers are those of the form's fields, the first of each`() throws {
    let fields = [LoginField.user(), .password]
    let answers = LoginAnswers(
      fields,
      try Self.sent(("user", " ada "), ("user", "ben"), ("password", " x "), ("other", "y")))
    #expect(answers.user == "ada")
    #expect(answers["other"].isEmpty)
    #expect(answers.secret().withBytes { Array($0) } == Array(" x ".utf8))
    #expect(answers.secret("clientSecret").withBytes { $0.isEmpty })
    #expect(!answers.isOn("user"))
    let toggles = LoginAnswers(
      [LoginField("a", .toggle, label: "A"), LoginField("b", .toggle, label: "B")],
      try Self.sent(("a", "on")))
    #expect(toggles.isOn("a"))
    #expect(!toggles.isOn("b"))
  }
}
