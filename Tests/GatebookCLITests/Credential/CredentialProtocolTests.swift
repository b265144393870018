internal import Gatebook
internal import Testing

@testable internal import GatebookCLI

/// The protocols of docker, keyring and kubectl as values.
struct CredentialProtocolTests {
  // MARK: Docker

  @Test(arguments: [
    ("registry.example", ["https://registry.example/", "http://registry.example/"]),
    ("localhost:5000\n", ["https://localhost:5000/", "http://localhost:5000/"]),
    (" https://registry.example/v1/\r\n", ["https://registry.example/"]),
    ("registry.example/a/../b", ["https://registry.example/", "http://registry.example/"]),
    ("[::1]:5000", ["https://[::1]:5000/", "http://[::1]:5000/"]),
  ])
  func `docker names a whole registry`(_ input: String, _ urls: [String]) throws {
    let question = try DockerProtocol(operation: "get").question(Array(input.utf8))
    #expect(question?.urls?.map(\.description) == urls)
    #expect(question?.deed == .get)
  }

  @Test(arguments: [
    "", " \n", "ssh://registry.example", "file:///etc/passwd", "a b", "a\nb", "a\0", "https://",
  ])
  func `docker's names of no registry are refused`(_ input: String) throws {
    #expect(throws: CredentialFault.self) {
      try DockerProtocol(operation: "get").question(Array(input.utf8))
    }
  }

  @Test func `docker's texts are those that its clients compare`() throws {
    let get = DockerProtocol(operation: "get")
    for reason in [nil, "The book is busy."] {
      let refusal = get.refusal(reason, .busy)
      #expect(text(refusal.output) == "credentials not found in native keychain\n")
      #expect(refusal.exit == .failed)
    }
    let fault = #expect(throws: CredentialFault.self) { try get.question([]) }
    #expect(
      text(get.refusal(fault?.line, .failed).output) == "no credentials server URL\n")
    let store = DockerProtocol(operation: "store")
    let nameless = #expect(throws: CredentialFault.self) {
      try store.question(Array(#"{"ServerURL":"x.example","Secret":"s"}"#.utf8))
    }
    #expect(nameless?.line == "no credentials username")
  }

  @Test func `docker's answers are JSON`() throws {
    let get = DockerProtocol(operation: "get")
    let question = try #require(try get.question(Array("git.example:8443\n".utf8)))
    #expect(
      try text(get.answer(handed("ada", "wo\"rd\n"), to: question))
        == #"{"ServerURL":"git.example:8443","Username":"ada","Secret":"wo\"rd\n"}"# + "\n")
    #expect(
      try text(get.list([handed("ada", "word")])) == #"{"git.example:8443":"ada"}"# + "\n")
    #expect(text(get.list([])) == "{}\n")
  }

  @Test func `docker tells what it has stored`() throws {
    let store = DockerProtocol(operation: "store")
    let told = #"{"ServerURL":"x.example","Username":"<token>","Secret":"s"}"#
    let question = try store.question(Array(told.utf8))
    #expect(question?.deed == .accepted)
    #expect(question?.user == "<token>")
    #expect(question?.secret == Secret("s"))
    for input in ["", "{", "[]", #"{"ServerURL":1}"#, #"{"ServerURL":"a b","Username":"u"}"#] {
      #expect(throws: CredentialFault.self) { try store.question(Array(input.utf8)) }
    }
  }

  // MARK: Keyring

  @Test(
    arguments: [
      ("https://index.example/simple/", ["https://index.example/simple/"], "ada"),
      ("https://ada@index.example/simple/", ["https://index.example/simple/"], "ada"),
      ("index.example:8443", [], nil), ("my vault", [], nil), ("ssh://index.example", [], nil),
    ] as [(String, [String], String?)])
  func `keyring names a URL, or something that is nobody's`(
    _ service: String, _ urls: [String], _ user: String?
  ) throws {
    let keyring = KeyringProtocol(operation: "get", service: service, user: "ada")
    let question = try keyring.question([])
    #expect(question?.urls?.map(\.description) == urls)
    #expect(question?.user == user)
  }

  @Test func `keyring needs a user where its own command does`() throws {
    let service = "https://index.example/"
    for operation in ["get", "set", "del"] {
      #expect(throws: CredentialFault.self) {
        try KeyringProtocol(operation: operation, service: service, user: nil).question([])
      }
    }
    #expect(throws: CredentialFault.self) {
      try KeyringProtocol(operation: "diagnose", service: service, user: "ada").question([])
    }
    #expect(throws: CredentialFault.self) {
      try KeyringProtocol(operation: "get", service: "https://bob@index.example/", user: "ada")
        .question([])
    }
    let creds = KeyringProtocol(operation: "get", service: service, user: nil, mode: .creds)
    #expect(try creds.question([])?.user == nil)
  }

  @Test(arguments: [
    (KeyringProtocol.Mode.password, KeyringProtocol.Format.plain, "word\n"),
    (.creds, .plain, "ada\nword\n"), (.password, .json, #"{"password":"word"}"# + "\n"),
    (.creds, .json, #"{"username":"ada","password":"word"}"# + "\n"),
  ])
  func `keyring prints as the real one`(
    _ mode: KeyringProtocol.Mode, _ format: KeyringProtocol.Format, _ printed: String
  ) throws {
    let keyring = KeyringProtocol(
      operation: "get", service: "x", user: "ada", mode: mode, format: format)
    #expect(
      try text(keyring.answer(handed("ada", "word"), to: CredentialQuestion(deed: .get))) == printed
    )
  }

  @Test(arguments: [("word\n", "word"), ("word", "word"), ("word\n\n", "word\n"), ("", "")])
  func `keyring's set takes one line end off`(_ input: String, _ secret: String) throws {
    let keyring = KeyringProtocol(
      operation: "set", service: "https://index.example/", user: "ada")
    #expect(try keyring.question(Array(input.utf8))?.secret == Secret(secret))
  }

  // MARK: Kubectl

  private func info(_ version: String, _ spec: String = "{}") -> [UInt8] {
    Array(
      #"{"apiVersion":"client.authentication.k8s.io/\#(version)","kind":"ExecCredential","spec":\#(spec)}"#
        .utf8)
  }

  @Test(arguments: ["v1", "v1beta1"])
  func `kubectl gets the version that it asks for`(_ version: String) throws {
    let kubectl = KubectlProtocol()
    let question = try #require(
      try kubectl.question(
        info(version, #"{"interactive":false,"cluster":{"server":"https://kube.example:6443"}}"#)))
    #expect(question.urls?.map(\.description) == ["https://kube.example:6443/"])
    #expect(question.wantsToken)
    let token = try handed("oauth2", "t0", isToken: true, expiresAt: 1_764_000_000_900_000)
    #expect(
      try text(kubectl.answer(token, to: question))
        == #"{"apiVersion":"client.authentication.k8s.io/\#(version)","kind":"ExecCredential","#
        + #""status":{"expirationTimestamp":"2025-11-24T16:00:00Z","token":"t0"}}"# + "\n")
    #expect(
      try !text(kubectl.answer(handed("", "t0", isToken: true), to: question)).contains("expir"))
  }

  @Test func `without a cluster kubectl's kubeconfig alone says where the token goes`() throws {
    #expect(try KubectlProtocol().question(info("v1"))?.urls == nil)
    #expect(try KubectlProtocol().question([])?.place == "client.authentication.k8s.io/v1")
  }

  @Test func `what kubectl would not say is refused`() throws {
    let inputs =
      [info("v1alpha1"), info("v1", #"{"cluster":{"server":"unix:///x"}}"#)]
      + ["{", "[]", #"{"apiVersion":"client.authentication.k8s.io/v1","kind":"Pod"}"#, "\u{0}"]
      .map { Array($0.utf8) }
    for input in inputs {
      #expect(throws: CredentialFault.self) { try KubectlProtocol().question(input) }
    }
  }
}
