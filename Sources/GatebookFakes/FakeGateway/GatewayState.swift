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
}
