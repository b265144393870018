internal import Gatebook
internal import Testing

@testable internal import GatebookCLI

/// Git's credential protocol as values.
struct GitProtocolTests {
  private func read(
    _ text: String, _ operation: String = "get", bearer: Bool = false
  ) throws -> CredentialQuestion? {
    try GitProtocol(operation: operation, prefersBearer: bearer).question(Array(text.utf8))
  }

  private static let host = "protocol=https\nhost=git.example\n"

  private static let urls: [(String, String)] = [
    (host, "https://git.example/"), (host + "\n", "https://git.example/"),
    // No newline at the end.
    ("protocol=https\nhost=git.example", "https://git.example/"),
    // What comes after an empty line is none of it.
    (host + "\nhost=other.example\n", "https://git.example/"),
    ("protocol=http\nhost=git.example:8080\n", "http://git.example:8080/"),
    ("protocol=https\nhost=[2001:db8::1]:8443\n", "https://[2001:db8::1]:8443/"),
    ("protocol=HTTPS\nhost=GIT.example\n", "https://git.example/"),
    (host + "path=org/repo.git\n", "https://git.example/org/repo.git"),
    // Git decodes the path; dots lead nowhere else than the server takes them.
    (host + "path=org/../other.git\n", "https://git.example/other.git"),
    (host + "path=../../etc\n", "https://git.example/etc"),
    (host + "path=a b/ü?x#y\n", "https://git.example/a%20b/%C3%BC%3Fx%23y"),
    (host + "path=org/%2e%2e/x\n", "https://git.example/org/%252e%252e/x"),
    ("url=https://git.example/org/repo.git\n", "https://git.example/org/repo.git"),
    (host + "unknown=x\nstate[]=a\ncapability[]=state\n", "https://git.example/"),
    (host + "host=git.example\n", "https://git.example/"),
  ]

  @Test(arguments: urls)
  func `a question is for one URL`(_ text: String, _ url: String) throws {
    #expect(try read(text)?.urls?.map(\.description) == [url])
  }

  @Test(arguments: [
    "", "\n", "protocol=https\n", "host=git.example\n", "protocol=https\nhost=\n",
    "protocol=ssh\nhost=git.example\n", "protocol=file\nhost=\npath=/tmp/x\n",
    "protocol=ftp\nhost=git.example\n", "protocol=smtp\nhost=mail.example:587\n",
    "protocol=cert\npath=/key.pem\n", "url=ssh://git@git.example/x\n",
  ])
  func `a question for another server than one of the web is nobody's`(_ text: String) throws {
    #expect(try read(text) == nil)
  }

  @Test(arguments: ["capability", "approve", "", "GET"])
  func `an operation that is unknown is ignored, whatever follows`(_ operation: String) throws {
    #expect(try read("no line of the protocol", operation) == nil)
  }

  private static let doubtful: [String] = [
    host + "host=other.example\n", host + "username=ada\nusername=bob\n", host + "path=a\npath=b\n",
    host + "url=https://other.example/\n", host + "url=http://git.example/\n",
    "protocol=https\r\nhost=git.example\r\n", host + "username=a\u{0}b\n", host + "a line\n",
    host + "username=a\rb\n", host + "path=a\u{7F}\n",
    "protocol=https\nhost=git.example/other\n", "protocol=https\nhost=ada@git.example\n",
    "protocol=https\nhost=git.example?x\n", "protocol=https\nhost=git example\n",
    "protocol=https\nhost=git.example:99999\n", "protocol=https\nhost=[::1\n",
  ]

  @Test(arguments: doubtful)
  func `a doubtful question is refused`(_ text: String) throws {
    let fault = #expect(throws: CredentialFault.self) { try read(text) }
    #expect(fault?.line.contains("\n") == false)
  }

  @Test func `invalid UTF-8 is refused where it matters, and ignored elsewhere`() throws {
    let bad: [UInt8] = [0xFF, 0x0A]
    let git = GitProtocol(operation: "get")
    let host = Array(Self.host.utf8)
    #expect(throws: CredentialFault.self) { try git.question(host + Array("username=".utf8) + bad) }
    let ignored = try git.question(host + Array("wwwauth[]=".utf8) + bad)
    #expect(ignored?.urls?.count == 1)
    #expect(ignored?.challenges == [])
  }

  @Test func `what git tells of a credential is read with it`() throws {
    let text = Self.host + "username=ada\npassword=pässword=1\n"
    let stored = try read(text, "store")
    #expect(stored?.deed == .accepted)
    #expect(stored?.user == "ada")
    #expect(stored?.secret == Secret("pässword=1"))
    #expect(try read(text, "erase")?.deed == .rejected)
    let bearer = try read(Self.host + "authtype=Bearer\ncredential=t0\n", "erase")
    #expect(bearer?.secret == Secret("t0"))
    #expect(try read("url=https://ada:secret@git.example/\n")?.user == "ada")
  }

  @Test(
    arguments: [
      (#"Basic realm="a""#, ["a"]), (#"Basic realm="a", Bearer realm="b""#, ["a"]),
      (#"Digest realm="a""#, []), ("Negotiate", []), (#"basic REALM=a"#, ["a"]),
      ("Basic", [""]),
    ] as [(String, [String])])
  func `realms are those of Basic`(_ challenge: String, _ realms: [String]) throws {
    #expect(try read(Self.host + "wwwauth[]=\(challenge)\n")?.realms == realms)
  }

  private static let bearers: [(String, Bool, Bool)] = [
    ("", false, false), ("capability[]=authtype\n", false, false), ("", true, false),
    ("capability[]=authtype\n", true, true),
    ("capability[]=authtype\nwwwauth[]=Bearer realm=\"x\"\n", false, true),
    ("capability[]=authtype\nwwwauth[]=Bearer\nwwwauth[]=Basic realm=\"x\"\n", false, false),
    ("wwwauth[]=Bearer realm=\"x\"\n", true, false),
  ]

  @Test(arguments: bearers)
  func `a token goes as a bearer where git can send it and the server wants it`(
    _ more: String, _ prefers: Bool, _ takes: Bool
  ) throws {
    #expect(try read(Self.host + more, bearer: prefers)?.takesBearer == takes)
  }

  @Test func `answers are lines that git takes`() throws {
    let git = GitProtocol(operation: "get")
    var question = CredentialQuestion(deed: .get)
    let password = try handed("ada", "word")
    #expect(try text(git.answer(password, to: question)) == "username=ada\npassword=word\n")
    let token = try handed("oauth2", "t0", isToken: true, expiresAt: 1_764_000_000_900_000)
    #expect(
      try text(git.answer(token, to: question))
        == "username=oauth2\npassword=t0\npassword_expiry_utc=1764000000\n")
    question.takesBearer = true
    #expect(
      try text(git.answer(token, to: question))
        == "capability[]=authtype\nauthtype=Bearer\ncredential=t0\nephemeral=1\n"
        + "password_expiry_utc=1764000000\n")
    #expect(try text(git.answer(password, to: question)) == "username=ada\npassword=word\n")
  }

  @Test(arguments: [("ada\nhost=x", "rabbit"), ("ada", "wo\nrd"), ("ada", "a\0b"), ("ada", "a\r")])
  func `no value begins another line`(_ user: String, _ secret: String) throws {
    let fault = #expect(throws: CredentialFault.self) {
      try GitProtocol(operation: "get").answer(
        handed(user, secret), to: CredentialQuestion(deed: .get))
    }
    #expect(fault?.line.contains(secret) == false)
  }
}

/// The bytes as text.
func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }

/// A credential for https://git.example/.
func handed(
  _ user: String, _ secret: String, isToken: Bool = false, expiresAt: Int64? = nil
) throws -> HandedCredential {
  HandedCredential(
    user: user, secret: Secret(secret), isToken: isToken,
    expiresAt: expiresAt.map { Timestamp(rawValue: $0) },
    url: try #require(HTTPURL("https://git.example:8443/")))
}
