import GatebookFakes
import GatebookTestSupport

/// A client of a fake gateway that keeps the cookie of its last login and nothing else.
final class GatewayCaller {
  private let port: UInt16
  private(set) var cookie: String?

  init(_ gateway: FakeGateway) {
    port = gateway.port
  }

  /// Sends the two members of a login, encoded by hand.
  func logIn(_ username: String, _ password: String) -> Answer? {
    let answer = post(
      FakeGateway.sampleLoginPath,
      #"{"username":"\#(Self.escaped(username))","password":"\#(Self.escaped(password))"}"#)
    cookie = answer?.cookie("JSESSIONID")
    return answer
  }

  /// Logs in as a user.
  @discardableResult
  func logIn(_ user: FakeGatewayUser) -> Answer? {
    logIn(user.username, user.password)
  }

  /// Posts JSON.
  func post(_ path: String, _ body: String, type: String = "application/json") -> Answer? {
    RawClient.ask(port, "POST", path, [("Content-Type", type)], body: body)
  }

  /// Deletes the session of an id that is already encoded, with the cookie unless told otherwise.
  func logOut(_ segment: String, cookie: String?? = nil, method: String = "DELETE") -> Answer? {
    var fields = [("Content-Type", "application/json")]
    if let cookie = cookie ?? self.cookie { fields.append(("Cookie", "JSESSIONID=\(cookie)")) }
    return RawClient.ask(port, method, "\(FakeGateway.sampleLoginPath)/id/\(segment)", fields)
  }

  /// Encodes every byte of a path's segment.
  static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      let digits = String(byte, radix: 16, uppercase: true)
      return byte < 16 ? "%0\(digits)" : "%\(digits)"
    }.joined()
  }

  private static func escaped(_ text: String) -> String {
    text.unicodeScalars.reduce(into: "") { result, scalar in
      if scalar == "\"" || scalar == "\\" { result += "\\" }
      result.unicodeScalars.append(scalar)
    }
  }
}

/// A started gateway with a stopped clock.
func startedGateway(
  _ change: (inout FakeGatewaySwitches) -> Void = { _ in }
) throws -> FakeGateway {
  var switches = FakeGatewaySwitches()
  change(&switches)
  let gateway = try FakeGateway(switches: switches, clock: FixedClock())
  try gateway.start()
  return gateway
}
