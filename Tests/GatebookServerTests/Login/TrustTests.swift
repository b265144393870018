internal import Foundation
internal import Testing

/// Servers whose certificates have defects, or whose keys are not those that they should be.
@Suite(.enabled(if: TestServers.areRunning, TestServers.reason))
struct TrustTests {
  private let gatebook: GatebookTool
  /// In the URLs of one test alone.
  private let mark = UUID().uuidString

  init() throws {
    gatebook = try GatebookTool()
  }

  private static let user = ServerLogin.basic

  /// The words of a login at one listener.
  private func login(
    _ apache: ApacheServer, _ listener: ApacheServer.Listener, _ more: String...
  ) throws -> [String] {
    [
      "login", "http", "--url", try apache.base(listener) + "/basic/?\(mark)", "--user",
      Self.user.user, "--password-stdin",
    ] + more
  }

  /// What a listener shows, and what is wrong with it.
  struct Defect: CustomStringConvertible, Sendable {
    let listener: ApacheServer.Listener
    let names: [String]
    /// Whether the root is trusted.
    var knowsRoot = true

    var description: String { "\(listener), \(knowsRoot ? "the root" : "nothing") trusted" }

    static let all = [
      Defect(listener: .good, names: ["unknownAuthority"], knowsRoot: false),
      Defect(listener: .clientRequired, names: ["unknownAuthority"], knowsRoot: false),
      Defect(listener: .expired, names: ["expired"]),
      Defect(listener: .expired, names: ["expired", "unknownAuthority"], knowsRoot: false),
      Defect(listener: .wrongHost, names: ["wrongHost"]),
      Defect(listener: .wrongHost, names: ["wrongHost", "unknownAuthority"], knowsRoot: false),
      Defect(listener: .selfSigned, names: ["selfSigned"]),
      Defect(listener: .selfSigned, names: ["selfSigned"], knowsRoot: false),
    ]
  }

  @Test(arguments: Defect.all)
  func `a defect is refused by its name before anything is sent`(_ defect: Defect) throws {
    let apache = try ApacheServer.shared()
    let root = defect.knowsRoot ? ["--ca-file", apache.certificates.authority] : []
    let (status, error) = try gatebook.failure(
      login(apache, defect.listener) + root, answers: [Self.user.password])
    #expect(status == 8)
    #expect(error["code"]?.text == "tls.untrusted")
    let pin = try apache.certificates.pin(defect.listener)
    let message = try #require(error["message"]?.text)
    #expect(message.contains("(defects \(defect.names.joined(separator: ", ")); key \(pin))"))
    #expect(error["remedy"]?.text?.contains("--accept-key \(pin)") == true)
    let decision = try #require(try gatebook.facts(of: "trust.decided").last)
    #expect(decision["verdict"]?.text == "refused")
    #expect(decision["by"]?.text == "policy")
    #expect(decision["defects"]?.texts == defect.names)
    #expect(decision["key"]?.text == pin)
    #expect(try gatebook.facts(of: "login.failed").last?["code"]?.text == "tls.untrusted")
    #expect(try gatebook.lines(["accounts"]).isEmpty)
    #expect(try apache.requests(with: mark).isEmpty)
  }

  @Test func `the root certificate's file makes the good chain trusted, also after a restart`()
    throws
  {
    let apache = try ApacheServer.shared()
    let account = try gatebook.object(
      login(apache, .good, "--ca-file", apache.certificates.authority),
      answers: [Self.user.password])
    #expect(account["state"]?.text == "active")
    let reply = try gatebook.run(["request", try apache.base(.good) + "/basic/"])
    #expect(reply.output == Self.user.secret, "\(reply.errors)")
    #expect(
      try apache.requests(with: mark) == [
        "- /basic/?\(mark) 401", "alice /basic/?\(mark) 200",
      ])
  }

  /// What the key must be followed by.
  @Test(arguments: [
    (ApacheServer.Listener.selfSigned, ""), (.expired, "+expired"), (.wrongHost, "+wrongHost"),
  ])
  func `a key is accepted with the defects that are named`(
    _ listener: ApacheServer.Listener, _ names: String
  ) throws {
    let apache = try ApacheServer.shared()
    let pin = try apache.certificates.pin(listener)
    if !names.isEmpty {
      let (status, error) = try gatebook.failure(
        login(apache, listener, "--accept-key", pin), answers: [Self.user.password])
      #expect(status == 8)
      #expect(error["code"]?.text == "tls.untrusted")
      #expect(try apache.requests(with: mark).isEmpty)
    }
    _ = try gatebook.object(
      login(apache, listener, "--accept-key", pin + names), answers: [Self.user.password])
    let decision = try #require(try gatebook.facts(of: "trust.decided").last)
    #expect(decision["verdict"]?.text == "accepted")
    #expect(decision["by"]?.text == "user")
    #expect(decision["key"]?.text == pin)
    let list = try gatebook.lines(["trust", "list"])
    #expect(list.map { $0["type"]?.text } == ["accepted"])
    #expect(list.first?["key"]?.text == pin)
    #expect(
      list.first?["defects"]?.texts?.contains(names.replacing("+", with: "")) == !names.isEmpty)
    let url = try apache.base(listener) + "/basic/"
    #expect(try gatebook.run(["request", url]).output == Self.user.secret)

    #expect(try gatebook.lines(["trust", "revoke", pin]).isEmpty)
    let (status, error) = try gatebook.failure(["request", url])
    #expect(status == 8)
    #expect(error["code"]?.text == "tls.untrusted")
  }

  @Test func `a key that was accepted is another server's business`() throws {
    let apache = try ApacheServer.own()
    let pin = try apache.certificates.pin(.selfSigned)
    // The key of one port is not looked for at another one.
    let (status, error) = try gatebook.failure(
      login(apache, .expired, "--accept-key", pin), answers: [Self.user.password])
    #expect(status == 8)
    #expect(error["code"]?.text == "tls.keyChanged")
    // And it is not accepted there either, when that port shows it.
    try apache.show(.selfSigned, at: .expired)
    _ = try gatebook.object(
      login(apache, .selfSigned, "--accept-key", pin, "--allow-origin", apache.base(.expired)),
      answers: [Self.user.password])
    let other = try gatebook.failure(["request", try apache.base(.expired) + "/basic/?other"])
    #expect(other.0 == 8)
    #expect(other.1["code"]?.text == "tls.untrusted")
    #expect(other.1["message"]?.text?.contains("defects selfSigned; key \(pin)") == true)
    #expect(try apache.requests(with: "other").isEmpty)
  }

  @Test func `a key that changed is refused until the old one is taken back`() throws {
    let apache = try ApacheServer.own()
    let old = try apache.certificates.pin(.selfSigned)
    _ = try gatebook.object(
      login(apache, .selfSigned, "--accept-key", old), answers: [Self.user.password])
    try apache.makeKey(at: .selfSigned)
    let new = try apache.certificates.pin(.selfSigned)
    try #require(new != old)
    let url = try apache.base(.selfSigned) + "/basic/?changed"
    let (status, error) = try gatebook.failure(["request", url])
    #expect(status == 8)
    #expect(error["code"]?.text == "tls.keyChanged")
    #expect(error["message"]?.text?.contains(new) == true)
    #expect(error["remedy"]?.text?.contains("--accept-key") == false)
    let decision = try #require(try gatebook.facts(of: "trust.decided").last)
    #expect(decision["verdict"]?.text == "refused")
    #expect(decision["key"]?.text == new)
    #expect(try apache.requests(with: "changed").isEmpty)
    #expect(try gatebook.object(["whoami"])["state"]?.text != "needsLogin")

    #expect(try gatebook.run(["trust", "revoke", old]).status == 0)
    #expect(try gatebook.failure(["request", url]).1["code"]?.text == "tls.untrusted")
    _ = try gatebook.object(
      login(apache, .selfSigned, "--accept-key", new), answers: [Self.user.password])
    #expect(try gatebook.run(["request", url]).output == Self.user.secret)
  }

  @Test func `a pinned key is asked for beside the chain`() throws {
    let apache = try ApacheServer.shared()
    let files = apache.certificates
    // Not even the root's own key: a pin is the server's.
    for pin in [try files.pin(.selfSigned), try files.authorityPin] {
      let (status, error) = try gatebook.failure(
        login(apache, .good, "--ca-file", files.authority, "--pin", pin),
        answers: [Self.user.password])
      #expect(status == 8)
      #expect(error["code"]?.text == "tls.keyChanged")
    }
    #expect(try apache.requests(with: mark).isEmpty)
    // A pin does not replace the chain either.
    let bare = try gatebook.failure(
      login(apache, .good, "--pin", files.pin(.good)), answers: [Self.user.password])
    #expect(bare.1["code"]?.text == "tls.untrusted")
    _ = try gatebook.object(
      login(apache, .good, "--ca-file", files.authority, "--pin", files.pin(.good)),
      answers: [Self.user.password])
    #expect(
      try gatebook.lines(["trust", "list"]).map { $0["type"]?.text } == ["authorities", "pin"])
    let reply = try gatebook.run(["request", try apache.base(.good) + "/basic/"])
    #expect(reply.output == Self.user.secret)
  }
}
