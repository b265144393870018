internal import Gatebook
internal import GatebookFakes
internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// Each helper as a process where it cannot answer, or must not: the protocol's own "no", at most
/// one line on standard error, and an end.
@Suite(.timeLimit(.minutes(2)))
struct CredentialRefusalTests {
  /// The protocols, by the way in which a program asks for a credential.
  enum Helper: String, CaseIterable {
    case git, docker, pip, uv, kubectl

    /// The name that the program calls.
    var name: String {
      switch self {
      case .git: "git-credential-gatebook"
      case .docker: "docker-credential-gatebook"
      case .pip, .uv: "keyring"
      case .kubectl: "gatebook"
      }
    }

    /// What says no on standard output.
    var no: String { self == .docker ? "credentials not found in native keychain\n" : "" }

    /// The protocols' exits differ: git's helpers end as Gatebook's other commands do.
    func exit(_ exit: Int32) -> Int32 { self == .git ? exit : 1 }

    /// Asks for the credential of a server.
    func asking(_ server: String, user: String? = nil, path: String = "") -> Asking {
      let host = String(server.drop { $0 != "/" }.dropFirst(2))
      let at = user.map { "http://\($0)@\(host)" } ?? server
      switch self {
      case .git:
        let named = user.map { "username=\($0)\n" } ?? ""
        let place = path.isEmpty ? "" : "path=\(path)\n"
        return Asking(["get"], "protocol=http\nhost=\(host)\n\(place)\(named)\n")
      case .docker: return Asking(["get"], user == nil ? "\(host)/\(path)\n" : "\(at)/\(path)\n")
      case .pip: return Asking(["get", "\(server)/\(path)", user ?? "oauth2"])
      case .uv: return Asking(["--mode", "creds", "get", "\(at)/\(path)"])
      case .kubectl:
        let info =
          #"{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","#
          + #""spec":{"cluster":{"server":"\#(at)/\#(path)"}}}"#
        return Asking(["credential", "kubectl"], variables: ["KUBERNETES_EXEC_INFO": info])
      }
    }
  }

  /// One run of a helper.
  struct Asking {
    var words: [String]
    var input: String
    var variables: [String: String]

    init(_ words: [String], _ input: String = "", variables: [String: String] = [:]) {
      self.words = words
      self.input = input
      self.variables = variables
    }
  }

  private let scene: Scene

  init() throws {
    scene = try Scene()
    try scene.logInForTokens(["--label", "work"])
  }

  private func run(
    _ helper: Helper, _ asking: Asking, _ options: [String] = [],
    environment: [String: String] = [:]
  ) throws -> ChildProcess.Ending {
    let link = "\(scene.folder)/\(helper.name)"
    if access(link, F_OK) != 0 { try #require(symlink(try ChildProcess.program(), link) == 0) }
    return try ChildProcess(
      asking.words + options, in: scene,
      environment: scene.environment.merging(asking.variables) { $1 }.merging(environment) { $1 },
      streams: ChildProcess.Streams(input: asking.input), program: link
    ).end()
  }

  // MARK: Books that cannot be used

  /// Why there is no answer.
  enum Fault: String, CaseIterable {
    /// Another process writes, and the token must be renewed.
    case busy
    /// Another process refreshes the token.
    case locked
    case withoutKeyFile
    /// Nobody can be asked: there is no terminal.
    case withPassphrase
    case missing
    case damaged
    case unknownAccount

    /// What `gatebook token` would end with.
    var exit: Int32 {
      switch self {
      case .busy, .locked: 6
      case .withoutKeyFile, .withPassphrase, .missing: 7
      case .damaged: 5
      case .unknownAccount: 2
      }
    }
  }

  @Test(arguments: Fault.allCases)
  func `a book that gives no answer is the protocol's no, and one line`(_ fault: Fault) throws {
    var options: [String] = []
    var environment: [String: String] = [:]
    var held: HeldByte?
    defer { held?.release() }
    switch fault {
    case .busy, .locked:
      try scene.expire()
      held = try HeldByte(fault == .busy ? 1 : HeldByte.firstAccount, of: scene.book)
      options = ["--wait", "0"]
    case .withoutKeyFile: try #require(unlink(try scene.keyFile()) == 0)
    case .withPassphrase: environment["GATEBOOK_KEY"] = "passphrase"
    case .missing: environment["GATEBOOK_BOOK"] = "\(scene.folder)/none.gatebook"
    case .damaged:
      let bytes = try TextFile.bytes(scene.book, what: "book", limit: 1 << 30)
      try TextFile.write(
        Array(repeating: 0x5A, count: 4096) + bytes.dropFirst(4096), to: scene.book)
    case .unknownAccount: options = ["--account", "nobody"]
    }
    for helper in Helper.allCases {
      let ending = try run(
        helper, helper.asking(scene.portal.url), options, environment: environment)
      #expect(ending.output == helper.no, "\(helper)")
      #expect(ending.exit == helper.exit(fault.exit), "\(helper): \(ending.errors)")
      let lines = ending.errors.split(separator: "\n")
      #expect(lines.count == 1 && lines[0].hasPrefix("gatebook: "), "\(helper): \(ending.errors)")
    }
  }

  @Test func `a busy book and a lock of another process do not hold up a valid token`() throws {
    let token = String(try scene.liveToken().dropLast())
    let writer = try HeldByte(1, of: scene.book)
    let account = try HeldByte(HeldByte.firstAccount, of: scene.book)
    defer {
      writer.release()
      account.release()
    }
    for helper in Helper.allCases {
      let ending = try run(helper, helper.asking(scene.portal.url), ["--wait", "0"])
      #expect(ending.exit == 0, "\(helper): \(ending.errors)")
      #expect(ending.output.contains(token), "\(helper)")
      #expect(ending.errors.isEmpty, "\(helper): \(ending.errors)")
    }
  }

  // MARK: Hostile questions

  /// What is wrong with a question.
  enum Hostile: String, CaseIterable {
    case withoutNewline, withNUL, withMebibyte, forWrongHost, forHostWithin, withControl, forOther

    /// The question; `nil` where the protocol cannot carry that.
    func asking(_ helper: Helper, _ server: String) -> Asking? {
      var asking = helper.asking(server)
      let isOnInput = helper == .git || helper == .docker
      switch self {
      case .withoutNewline:
        guard isOnInput else { return nil }
        while asking.input.hasSuffix("\n") { asking.input.removeLast() }
      case .withNUL:
        guard isOnInput else { return nil }
        asking.input = asking.input.replacing("\n", with: "\0\n")
      case .withMebibyte:
        // Arguments and variables end at 128 KiB.
        let count = isOnInput ? 1 << 20 : 100_000
        return helper.asking(server, path: String(repeating: "x", count: count))
      case .forWrongHost: return helper.asking("http://git.example")
      // A host that begins with the account's.
      case .forHostWithin: return helper.asking(server + ".example")
      case .withControl: return helper.asking(server, path: "a\u{1}\u{7F}\rb")
      case .forOther: return helper.asking(server, user: "bob")
      }
      return asking
    }

    /// Whether there is an answer all the same.
    ///
    /// A long path leads to the account's own server, which decides about it.
    func isAnswered(_ helper: Helper) -> Bool {
      self == .withoutNewline || (self == .withMebibyte && helper != .git && helper != .docker)
    }
  }

  @Test(arguments: Hostile.allCases)
  func `a hostile question is no, and at most one line`(_ hostile: Hostile) throws {
    let token = String(try scene.liveToken().dropLast())
    for helper in Helper.allCases {
      guard let asking = hostile.asking(helper, scene.portal.url) else { continue }
      let ending = try run(helper, asking)
      #expect(ending.output.contains(token) == hostile.isAnswered(helper), "\(helper)")
      guard !hostile.isAnswered(helper) else { continue }
      #expect(ending.output == helper.no, "\(helper)")
      #expect(ending.exit == 0 || ending.exit == 1, "\(helper): \(ending.errors)")
      #expect(ending.errors.split(separator: "\n").count <= 1, "\(helper): \(ending.errors)")
      #expect(!ending.errors.contains(token), "\(helper)")
      #expect(ending.errors.utf8.count < 1000, "\(helper)")
    }
  }

  @Test(arguments: ["private/../open/x", "private/%2e%2e/open/x", "../private/../x", "open/x"])
  func `a path with dots leads to no password of another folder`(_ path: String) throws {
    let server = try PlainServer.start()
    defer { server.stop() }
    let login = try scene.run(
      "login", "http", "--url", server.url + "/private/", "--user", PlainServer.user,
      "--password-stdin", input: PlainServer.password + "\n")
    try #require(login.exit == 0, "\(login.errors)")
    // Git has decoded the path: its percent signs are the folder's own.
    let helpers: [Helper] = path.contains("%") ? [.pip, .uv] : [.git, .pip, .uv]
    for helper in helpers {
      let user = helper == .pip ? PlainServer.user : nil
      let inside = try run(helper, helper.asking(server.url, user: user, path: "private/x"))
      #expect(inside.output.contains(PlainServer.password), "\(helper): \(inside.errors)")
      let outside = try run(helper, helper.asking(server.url, user: user, path: path))
      #expect(outside.output.isEmpty, "\(helper)")
      #expect(outside.errors.split(separator: "\n").count <= 1, "\(helper)")
    }
  }
}
