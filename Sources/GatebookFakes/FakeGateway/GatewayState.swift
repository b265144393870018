internal import GatebookTestSupport

/// What a fake gateway knows; always protected by its lock.
struct GatewayState: RoutedServerState {
  static let page = FakePage(name: "Gatebook fake session gateway", kind: "gateway")
  static let routes = [
    ServerRoute<Self>(.login, "POST") { $0.logIn(&$1) },
    ServerRoute<Self>(.logout, "DELETE") { $0.logOut(&$1) },
  ]

  typealias Route = FakeGateway.Route

  var switches: FakeGatewaySwitches
  var users: [FakeGatewayUser]
  var random: SplitMix
  var sessions: [FakeGatewaySession] = []
  /// The ids of the next sessions.
  var chosenIDs: [String] = []
  var issued: [String] = []
  /// Who got a cookie, by its value; an ended session's is kept.
  var cookieOwners: [String: String] = [:]
  var visits: [Int: FakeGatewayRequest] = [:]

  private static let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

  /// Begins a session with the id that was chosen for it, or with one of its own.
  private mutating func beginSession(of username: String) -> FakeGatewaySession {
    let id = issue(
      chosenIDs.isEmpty ? random.text(48, of: Self.alphabet) : chosenIDs.removeFirst())
    // The number is for people; the rest makes the text one that can be searched for.
    let cookie = issue("s-\(cookieOwners.count + 1)-\(random.text(24, of: Self.alphabet))")
    cookieOwners[cookie] = username
    let session = FakeGatewaySession(id: id, username: username, cookie: cookie)
    sessions.append(session)
    return session
  }

  /// Ends the sessions of a user, or all there are.
  mutating func endSessions(of username: String?) {
    sessions.removeAll { username == nil || $0.username == username }
  }

  /// A random UUID in its text form (RFC 9562 section 5.4).
  private mutating func newUUID() -> String {
    let hex = "0123456789abcdef"
    let tail = random.text(1, of: "89ab") + random.text(3, of: hex)
    return [
      random.text(8, of: hex), random.text(4, of: hex), "4" + random.text(3, of: hex), tail,
      random.text(12, of: hex),
    ].joined(separator: "-")
  }

  /// `==` would take texts for the same whose bytes differ (Unicode canonical equivalence).
  private static func same(_ one: String, _ other: String) -> Bool {
    one.utf8.elementsEqual(other.utf8)
  }

  mutating func stop() {
    endSessions(of: nil)
  }

  func told(_ visit: FakeGatewayRequest) -> FakeGatewayRequest {
    var visit = visit
    visit.sessionID = sessionID(of: visit.request)
    visit.cookieOwner = visit.request.cookie("JSESSIONID").flatMap { cookieOwners[$0] }
    return visit
  }

  /// The decoded id in the path of a logout; `nil` when there is none, or more than one segment.
  private func sessionID(of request: LoopbackRequest) -> String? {
    guard let segment = request.rest(below: Route.logout.rawValue), !segment.isEmpty,
      !segment.utf8.contains(UInt8(ascii: "/"))
    else { return nil }
    // RFC 3986 section 2.1: in a path a plus is a plus.
    return PercentText.decode(segment, plusIsBlank: false)
  }

  /// `POST {login path}`: begins a session for a name and a password.
  private mutating func logIn(_ visit: inout FakeGatewayRequest) -> LoopbackReply {
    let request = visit.request
    // Inferred: another type is refused, as by any route that reads JSON alone.
    guard request.isJSON else { return Self.page.error(415, "The login is JSON.") }
    let body = PlainJSON.read(request.body)
    guard let name = body?["username"]?.string, let password = body?["password"]?.string else {
      return Self.page.error(400, "The login has a username and a password.")
    }
    let user = users.first { Self.same($0.username, name) && Self.same($0.password, password) }
    guard let user else { return refusal }
    visit.username = user.username
    let session = beginSession(of: user.username)
    var answer: PlainJSON = [:]
    if switches.tellsID { answer["id"] = .string(newUUID()) }
    if switches.tellsSessionID { answer["sessionid"] = .string(session.id) }
    answer["voiceUser"] = .string(user.voiceUser)
    answer["voiceDomain"] = .string(user.voiceDomain)
    // Inferred: the web application is a servlet, whose cookie is for its own context path.
    return .json(
      answer, fields: ["Set-Cookie": "JSESSIONID=\(session.cookie); Path=/csdk-sample; HttpOnly"])
  }

  private var refusal: LoopbackReply {
    switch switches.refusalBody {
    case .html: Self.page.error(401, "The name or the password is wrong.")
    case .json: .json(#"{"error":"The name or the password is wrong."}"#, status: 401)
    case .empty: LoopbackReply(status: 401)
    }
  }

  /// `DELETE {login path}/id/{id}`: ends a session.
  private mutating func logOut(_ visit: inout FakeGatewayRequest) -> LoopbackReply {
    guard let id = sessionID(of: visit.request) else {
      return Self.page.error(404, "An id is one segment.")
    }
    // Inferred: an unknown id is not found.
    guard let session = sessions.first(where: { Self.same($0.id, id) }) else {
      return Self.page.error(404, "There is no such session.")
    }
    guard !switches.demandsCookie || visit.request.cookie("JSESSIONID") == session.cookie else {
      return Self.page.error(401, "The cookie of this session's login is missing.")
    }
    sessions.removeAll { Self.same($0.id, id) }
    visit.username = session.username
    return LoopbackReply()
  }
}
