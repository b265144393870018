import Gatebook
import GatebookSystem
import Testing

@testable import GatebookLoginPage

@Suite struct ScreenRenderingTests {
  private static let hostile = "<b onclick='x'>\u{202E}\"A&B\u{2066}\n\u{0}\u{9B}</b>"

  private func page(
    _ screen: Screen, _ language: String? = nil, theme: LoginTheme = .default
  ) -> ShownPage {
    let rendering = ScreenRendering(
      words: .preferred(by: language), code: "K7QF", number: 12, end: nil, wasSent: false)
    return ShownPage(html: theme.page(rendering.values(of: screen)))
  }

  @Test func `a password is never filled in again`() {
    let fields = [
      LoginField.user(), .password, .clientSecret,
      LoginField("pin", .password, label: "PIN", value: "preset-9"),
    ]
    var view = FormView(server: "https://a.example", fields: fields)
    view.refill(
      LoginAnswers(
        ["user": "ada", "password": "secret-1"],
        secrets: ["password": Secret("secret-2"), "clientSecret": Secret("secret-3")]))
    for theme in LoginTheme.all {
      let html = page(.form(view), theme: theme).html
      #expect(html.contains("value=\"ada\""))
      for word in ["secret-", "preset-9"] { #expect(!html.contains(word)) }
    }
  }

  @Test(arguments: LoginTheme.all)
  func `markup and marks of direction in names and servers' texts do nothing`(
    _ theme: LoginTheme
  ) throws {
    var view = FormView(
      server: "https://a.example",
      fields: [LoginField.user(Self.hostile), .password, LoginField("x", label: Self.hostile)])
    view.purpose = .password(
      of: Origin(scheme: "http", host: "a.example", port: 80), isProxy: false, realm: Self.hostile)
    view.mistakes["password"] = .refused(
      .wrongCredentials, server: Self.hostile, attemptsLeft: 2)
    view.failure = (
      .serverRefused,
      GatebookError(.serverRefused, Self.hostile, remedy: "Wait.", cause: Self.hostile)
    )
    let html = page(.form(view), theme: theme).html
    #expect(!html.contains("<b "))
    #expect(!html.contains("onclick='"))
    #expect(html.contains("&lt;b onclick=&#39;x&#39;&gt;&quot;A&amp;B &lt;/b&gt;"))
    #expect(html.contains("Attempts left: 2."))
    let failed = page(
      .ended(.failed(GatebookError(.storageFull, Self.hostile, remedy: "Wait."))), theme: theme)
    #expect(!failed.html.contains("<b "))
    let unsafe: (Unicode.Scalar) -> Bool = { [0x202E, 0x2066, 0, 0x9B].contains($0.value) }
    #expect(!failed.html.unicodeScalars.contains(where: unsafe))
  }

  @Test(
    arguments: [
      ("Ada", "Ada"), ("a\nb\tc\rd", "a b cd"), ("\u{202A}\u{2067}\u{200F}\u{061C}x\u{2029}", "x"),
      ("مرحبا", "مرحبا"), ("\u{1B}[31mred", "[31mred"), ("🔑é", "🔑é"), ("", ""),
      (String(repeating: "a", count: 500), String(repeating: "a", count: 500)),
      (String(repeating: "a", count: 501), String(repeating: "a", count: 500) + "…"),
    ])
  func `a text of others is shown without what moves its neighbours`(
    _ text: String, _ shown: String
  ) {
    #expect(ShownText.of(text) == shown)
  }

  @Test func `a mistake names what is wrong, what the server said and how many attempts are left`()
  {
    var view = FormView(server: "https://a.example", fields: [LoginField.user("ada"), .password])
    view.mistakes["password"] = .refused(.wrongCredentials, server: "No.", attemptsLeft: 2)
    let shown = page(.form(view))
    #expect(
      shown.error("password")
        == "The server did not accept this user name and password. No. Attempts left: 2.")
    #expect(shown.error("user").isEmpty)
    #expect(shown.focused == "password")
    #expect(shown.html.contains("aria-describedby=\"field-password-error\""))
    #expect(shown.screen == "12")
    #expect(shown.buttons == ["submit", "cancel"])
    #expect(shown.focusedButton == nil)
  }

  @Test func `a certificate's key and defects are there, and Enter refuses it`() throws {
    let certificate = ServerCertificate(
      host: "gate.example", port: 8443,
      key: try KeyHash("sha256/47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="),
      defects: [.selfSigned, .expired], subject: "/CN=<gate>")
    let shown = page(
      .certificate(certificate, Origin(scheme: "https", host: "gate.example", port: 8443)))
    #expect(shown.facts["Key (SHA-256)"] == certificate.key.description)
    #expect(shown.facts["Issued for"] == "/CN=<gate>")
    #expect(shown.facts["Issued by"] == nil)
    #expect(shown.facts["Problem"] == "It has expired. The server issued it to itself.")
    #expect(shown.facts["Valid"] == "? – ?")
    #expect(shown.buttons == ["refuseCertificate", "acceptCertificate"])
    #expect(shown.focusedButton == "refuseCertificate")
  }

  @Test(
    arguments: [
      ("liferay-basic", "Liferay"), ("liferay-oauth2-redirect", "Liferay"),
      ("oidc", "OpenID Connect"), ("oauth2", "OAuth 2"), ("oauth1", "OAuth 1.0a"), ("http", "HTTP"),
      ("mobilefirst", "MobileFirst"), ("fcsdk", "Fusion client gateway"), ("form", "Login form"),
      ("card\u{202E}reader", "cardreader"),
    ])
  func `a method has the name that people know`(_ method: String, _ name: String) {
    #expect(MethodName.of(method, .preferred(by: "en")) == name)
  }

  @Test func `each defect of a certificate has words of its own`() {
    let texts = CertificateDefect.allCases.map { PageWords.preferred(by: "en")($0.text) }
    #expect(Set(texts).count == CertificateDefect.allCases.count)
  }

  @Test func `a screen that takes no answers has no form`() {
    for end in [ScreenEnd.cancelled, .expired, .elsewhere("https://a.example")] {
      let shown = page(.ended(end))
      #expect(!shown.hasForm)
      #expect(shown.screen.isEmpty)
    }
    #expect(page(.working(server: "a")).buttons.isEmpty)
  }
}
