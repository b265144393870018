internal import Gatebook

/// What a fake MobileFirst server knows; always behind its lock.
struct MobileFirstState: Sendable {
  /// The time of the request that is being answered, in milliseconds.
  var now = Timestamp(rawValue: 0)
  var application: FakeMobileFirstApplication
  var switches = FakeMobileFirstSwitches()
  /// The clients by their ids.
  var clients: [String: RegisteredClient] = [:]
  /// The codes that were not exchanged yet.
  var codes: [String: GrantedCode] = [:]
  var tokens: [String: GrantedToken] = [:]
  var refreshTokens: [String: GrantedToken] = [:]
  /// How many requests of a route are still to be answered with a conflict.
  var conflicts: [FakeMobileFirstServer.Route: Int] = [:]
  /// How many preauthorizations are still to be told that their client is unknown.
  var invalidClients = 0
  /// Every code and token that was ever given out.
  var issued: [String] = []
  /// What was made of the requests, by number.
  var visits: [Int: MobileFirstVisit] = [:]
  private var counts: [String: Int] = [:]

  init(application: FakeMobileFirstApplication, switches: FakeMobileFirstSwitches) {
    self.application = application
    self.switches = switches
  }

  /// The time as the server tells it.
  var told: Timestamp { now + .milliseconds(switches.clockSkewMs) }

  /// The next id of a sort: `client-1`, `client-2` and so on.
  mutating func nextID(_ sort: String) -> String {
    let count = counts[sort, default: 0] + 1
    counts[sort] = count
    return "\(sort)-\(count)"
  }

  /// The next code or token, recorded as something that must stay secret.
  mutating func issue(_ sort: String) -> String {
    let secret = nextID(sort)
    issued.append(secret)
    return secret
  }

  /// Counts down the conflicts of a route; `nil` when there is none.
  mutating func conflict(on route: FakeMobileFirstServer.Route) -> LoopbackReply? {
    guard let count = conflicts[route], count > 0 else { return nil }
    conflicts[route] = count - 1
    return .json("{}", status: 409, fields: ["MFP-Conflict": "Concurrent access failure"])
  }

  /// Forgets a client with its codes and tokens.
  mutating func forget(_ clientID: String) {
    clients[clientID] = nil
    codes = codes.filter { $0.value.clientID != clientID }
    tokens = tokens.filter { $0.value.clientID != clientID }
    refreshTokens = refreshTokens.filter { $0.value.clientID != clientID }
  }
}
