internal import Gatebook
internal import GatebookProxy
internal import GatebookSystem
internal import Testing

@testable internal import GatebookCLI

/// What passes between a process and its agent.
struct AgentCallTests {
  @Test func `a call is read as it was written`() throws {
    var call = AgentCall(line: ["credential", "git", "get", "ä\n\u{0}"], book: "1:2")
    call.input = Array(UInt8.min...UInt8.max)
    call.environment = ["GATEBOOK_ACCOUNT": "work"]
    call.shared = ["TZ": "UTC"]
    call.key = "file:/a b"
    call.columns = 80
    #expect(AgentCall(call.encoded) == call)
  }

  @Test func `variables that a call does not take are left out`() throws {
    let bytes = Array(
      #"{"line":[],"book":"1:2","key":"none","environment":{"HOME":"/x","GATEBOOK_ACCOUNT":"a"},"columns":0}"#
        .utf8)
    let call = try #require(AgentCall(bytes))
    #expect(call.environment == ["GATEBOOK_ACCOUNT": "a"])
    #expect(call.columns == nil)
  }

  @Test(arguments: [
    "", "{", "[]", "1", #"{"line":[]}"#, #"{"line":"token","book":"1:2","key":"none"}"#,
    #"{"line":[null],"book":"1:2","key":"none"}"#,
    #"{"line":[],"book":"1:2","key":"none","input":"*"}"#,
  ])
  func `what is no call is none`(_ text: String) {
    #expect(AgentCall(Array(text.utf8)) == nil)
  }

  @Test func `an answer is read as it was written`() throws {
    let answer = AgentAnswer(exit: .busy, output: [0, 255], errors: Array("no\n".utf8))
    let facts = try #require(JSONDocument.read(answer.json.encoded)?.object)
    #expect(AgentAnswer(facts) == answer)
    #expect(AgentAnswer(["exit": .integer(99), "output": .text(""), "errors": .text("")]) == nil)
  }

  private func destination(_ host: String?) throws -> String {
    let fields = host.map { "Host: \($0)\r\n" } ?? ""
    let head = try RequestHead(
      Array("GET / HTTP/1.\(host == nil ? 0 : 1)\r\n\(fields)\r\n".utf8)[...])
    return try Agent.destination(of: head).description
  }

  @Test func `a host names the agent, a server on this machine, or one by HTTPS`() throws {
    for (host, origin) in [
      ("localhost", "http://localhost"), ("LOCALHOST:80", "http://localhost"),
      (nil, "http://localhost"), ("localhost:8080", "http://localhost:8080"),
      ("127.0.0.1", "http://127.0.0.1"), ("[::1]:81", "http://[::1]:81"),
      ("api.example", "https://api.example"), ("api.example:8443", "https://api.example:8443"),
      ("localhost.evil.example", "https://localhost.evil.example"),
    ] as [(String?, String)] {
      #expect(try destination(host) == origin)
    }
    for host in ["a@localhost", "localhost/", "localhost?", "a b", "localhost#", ""] {
      #expect(throws: ProxyRefusal.self, "\(host)") { try destination(host) }
    }
  }

  @Test func `the socket is where the environment says`() {
    let path = { (environment: [String: String]) in
      AgentPlace.path(
        Surroundings(environment: environment, clock: FixedClock(), zone: .utc))
    }
    #expect(path(["XDG_RUNTIME_DIR": "/run/user/1"]) == "/run/user/1/gatebook/agent")
    #expect(path(["XDG_RUNTIME_DIR": "/run/user/1", "GATEBOOK_AGENT": "/a"]) == "/a")
    #expect(path(["XDG_RUNTIME_DIR": "/run/user/1", "GATEBOOK_AGENT": ""]) == nil)
    #expect(path(["XDG_RUNTIME_DIR": "run"]) == "/tmp/gatebook-\(LocalSocket.Peer.ownUser)/agent")
  }
}
