internal import Gatebook
internal import GatebookTestSupport

/// What a fake portal knows; always protected by its lock.
struct PortalState: RoutedServerState {
  static let page = FakePage(name: "Gatebook fake Liferay portal", kind: "portal")

  /// The time of the request that is being answered.
  var now = Moment(wall: Timestamp(rawValue: 0), boot: .zero)
  /// How far the portal's time was advanced.
  var advance = Duration.zero
  var switches: FakePortalSwitches
  var users: [FakePortalUser]
  var sessions: [String: FakePortalSession] = [:]
  var oauth1: PortalOAuth1
  var oauth2: PortalOAuth2
  /// Questions that were asked and not answered.
  var consents: [String: PortalConsent] = [:]
  /// The nonces of a front's Digest challenges: the last count and how often each was used.
  var frontNonces: [String: (last: Int, count: Int)] = [:]
  /// How the portal is reached: a part of what OAuth 1.0a signs.
  ///
  /// Set for each request.
  var scheme = "http"
  var random: SplitMix
  var issued: [String] = []
  var visits: [Int: FakePortalRequest] = [:]

  mutating func begin(at moment: Moment, isSecure: Bool) {
    scheme = isSecure ? "https" : "http"
    now = moment
    now.wall = now.wall + advance
    now.boot += advance
  }

  func told(_ wall: Timestamp) -> Timestamp { wall + advance + switches.clockSkew }

  mutating func stop() {
    endSessions(of: nil)
  }

  /// The wall clock as the portal tells it.
  var wall: Timestamp { now.wall + switches.clockSkew }

  /// A value that must stay secret, recorded as such.
  mutating func issue(_ count: Int, of alphabet: String) -> String {
    issue(random.text(count, of: alphabet))
  }

  /// Finds a user of any portal instance.
  func user(_ userID: Int64?) -> FakePortalUser? {
    users.first { $0.userID == userID }
  }

  /// Changes a user.
  mutating func change(_ userID: Int64, _ body: (inout FakePortalUser) -> Void) {
    guard let index = users.firstIndex(where: { $0.userID == userID }) else { return }
    body(&users[index])
  }

  private static let attemptLimit = 5

  /// Judges a name and a password and keeps count of the wrong ones.
  ///
  /// - Parameters:
  ///   - name: The login name.
  ///   - password: The password.
  ///   - kind: What the name is.
  /// - Returns: The user; `nil` for a wrong name or password, or a lockout.
  mutating func authenticate(
    _ name: String, _ password: String, by kind: FakePortalLoginName
  ) -> FakePortalUser? {
    guard let user = users.first(where: { kind.names($0, as: name) }) else { return nil }
    guard user.password == password else {
      recordFailure(of: user.userID)
      return nil
    }
    guard !user.isLockedOut else { return nil }
    change(user.userID) { $0.failedLoginAttempts = 0 }
    return self.user(user.userID)
  }

  private mutating func recordFailure(of userID: Int64) {
    let moment = now.wall
    change(userID) { user in
      user.failedLoginAttempts += 1
      user.lastFailedLogin = moment
      guard user.failedLoginAttempts >= Self.attemptLimit, !user.isLockedOut else { return }
      user.isLockedOut = true
      user.lockedOut = moment
    }
  }
}

/// What a fake portal knows about OAuth 1.0a.
struct PortalOAuth1: Sendable {
  /// Temporary credentials (RFC 5849 section 2.1) and what became of them.
  struct Temporary: Sendable {
    var secret: String
    var consumerKey: String
    /// A URL, or `oob` for a consumer that has none.
    var callback: String
    /// Set when a user approved.
    var approval: (userID: Int64, verifier: String)?
  }

  var consumers: [FakePortalConsumer]
  var temporary: [String: Temporary] = [:]
  var tokens: [String: FakePortalConsumerToken] = [:]
  /// Consumer and nonce of every signed request that was taken.
  var nonces: Set<[String]> = []
}

/// What a fake portal knows about OAuth 2.
struct PortalOAuth2: Sendable {
  /// A code that waits for its exchange.
  struct Code: Sendable {
    var request: AuthorizationRequest
    var userID: Int64
    var expiry: Duration
  }

  var applications: [FakePortalApplication]
  var codes: [String: Code] = [:]
  var tokens: [FakePortalToken] = []

  /// Finds an application.
  func application(_ clientID: String?) -> FakePortalApplication? {
    applications.first { $0.clientID == clientID }
  }
}
