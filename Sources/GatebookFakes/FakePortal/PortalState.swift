internal import Gatebook
internal import GatebookTestSupport

/// What a fake portal knows; always behind its lock.
struct PortalState: Sendable {
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
  /// Set anew for each request.
  var scheme = "http"
  var random: SplitMix
  /// User ids that the next replies tell in place of the right ones.
  var misreports: [Int64] = []
  /// Every cookie value and token that was ever given out and must stay secret.
  var issued: [String] = []
  /// Whom the callers were taken for, by request number.
  var visits: [Int: PortalVisit] = [:]

  /// The wall clock as the portal tells it.
  var wall: Timestamp { now.wall + switches.clockSkew }

  /// A value that must stay secret, recorded as such.
  mutating func issue(_ count: Int, of alphabet: String) -> String {
    let text = random.text(count, of: alphabet)
    issued.append(text)
    return text
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
}
