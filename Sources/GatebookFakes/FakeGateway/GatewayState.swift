internal import GatebookTestSupport

/// What a fake gateway knows; always protected by its lock.
struct GatewayState: RoutedServerState {
  static let page = FakePage(name: "Gatebook fake session gateway", kind: "gateway")

  var switches: FakeGatewaySwitches
  var users: [FakeGatewayUser]
  /// Where the login is.
  let loginPath: String
  var sessions: [FakeGatewaySession] = []
  var random: SplitMix
  /// The ids of the next sessions.
  var chosenIDs: [String] = []
  /// Every session id and cookie that was ever given out.
  var issued: [String] = []
  /// Who got a cookie, by its value; an ended session's is kept.
  var cookieOwners: [String: String] = [:]
  var visits: [Int: FakeGatewayRequest] = [:]

  init(
    switches: FakeGatewaySwitches, users: [FakeGatewayUser], loginPath: String, random: SplitMix
  ) {
    self.switches = switches
    self.users = users
    self.loginPath = loginPath
    self.random = random
  }

  /// The user of a name and a password; both are compared byte by byte.
  func user(_ username: String, _ password: String) -> FakeGatewayUser? {
    users.first { Self.same($0.username, username) && Self.same($0.password, password) }
  }

  /// The session of an id, compared byte by byte.
  func session(_ id: String) -> FakeGatewaySession? {
    sessions.first { Self.same($0.id, id) }
  }

  /// Begins a session with the id that was chosen for it, or with one of its own.
  mutating func beginSession(of username: String?) -> FakeGatewaySession {
    if let username, switches.endsOlderSessions {
      sessions.removeAll { $0.username == username }
    }
    let id = chosenIDs.isEmpty ? random.text(48, of: Self.alphabet) : chosenIDs.removeFirst()
    issued.append(id)
    var session = FakeGatewaySession(id: id, username: username, cookie: nil)
    if let username, switches.setsCookie {
      // The number is for people; the rest makes the text one that can be searched for.
      let cookie = "s-\(cookieOwners.count + 1)-\(random.text(24, of: Self.alphabet))"
      issued.append(cookie)
      cookieOwners[cookie] = username
      session.cookie = cookie
    }
    sessions.append(session)
    return session
  }

  /// Ends the session of an id.
  mutating func endSession(_ id: String) {
    sessions.removeAll { Self.same($0.id, id) }
  }

  /// Ends the sessions of a user, or all there are.
  mutating func endSessions(of username: String?) {
    sessions.removeAll { username == nil || $0.username == username }
  }

  /// A random UUID in its text form (RFC 9562 section 5.4).
  mutating func newUUID() -> String {
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

  private static let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

  mutating func answer(
    _ visit: inout FakeGatewayRequest, on route: FakeGateway.Route
  ) -> LoopbackReply {
    switch route {
    case .login: logIn(&visit)
    case .logout: logOut(&visit)
    case .session: beginSession(visit.request)
    case .webSocket: GatewayWebSocketRoute.answer(visit.request, switches.webSocket)
    }
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

  /// The path of a route; one that ends in `/*` stands for all below it.
  static func path(of route: FakeGateway.Route, _ loginPath: String) -> String {
    switch route {
    case .login: loginPath
    case .logout: "\(loginPath)/id/*"
    case .session: "/gateway/sessions/session"
    // Inferred: no public documentation names the path of the web socket.
    case .webSocket: "/gateway/websocketcall"
    }
  }

  /// The decoded id in the path of a logout; `nil` when there is none, or more than one segment.
  func sessionID(of request: LoopbackRequest) -> String? {
    guard route(of: request.path) == .logout else { return nil }
    let segment = request.path.dropFirst("\(loginPath)/id/".count)
    guard !segment.isEmpty, !segment.utf8.contains(UInt8(ascii: "/")) else { return nil }
    // RFC 3986 section 2.1: in a path a plus is a plus.
    return PercentText.decode(segment, plusIsBlank: false)
  }

  func route(of path: String) -> FakeGateway.Route? {
    FakeGateway.Route.allCases.first { LoopbackFault.fits(Self.path(of: $0, loginPath), path) }
  }
}

extension FakeGateway.Route: FakeServerRoute {
  var methods: [String] {
    switch self {
    case .login, .session: ["POST"]
    case .logout: ["DELETE"]
    case .webSocket: ["GET"]
    }
  }
}
