internal import Gatebook

/// What a fake MobileFirst server knows; always protected by its lock.
struct MobileFirstState: RoutedServerState {
  static let page = FakePage(name: "Gatebook fake MobileFirst server", kind: "MobileFirst server")
  static let routes = [
    ServerRoute<Self>(.registration, "POST") { $0.register(&$1) },
    ServerRoute<Self>(.registeredClient, "PUT") { $0.changeRegistered(&$1) },
    ServerRoute<Self>(.preauthorize, "POST") { $0.preauthorize(&$1) },
    ServerRoute<Self>(.logout, "POST") { $0.endCheck(&$1) },
    ServerRoute<Self>(.authorization, "GET") { $0.authorize(&$1) },
    ServerRoute<Self>(.token, "POST") { $0.giveToken(&$1) },
    ServerRoute<Self>(.adapters, "GET", "POST") { $0.showResource(&$1) },
  ]

  typealias Route = FakeMobileFirstServer.Route

  /// The time of the request that is being answered, in milliseconds.
  var now = Timestamp(rawValue: 0)
  var application: FakeMobileFirstApplication
  var switches = FakeMobileFirstSwitches()
  /// The clients by their ids.
  var clients: [String: FakeRegisteredClient] = [:]
  /// The codes that were not exchanged yet.
  var codes: [String: GrantedCode] = [:]
  var tokens: [String: GrantedToken] = [:]
  var issued: [String] = []
  var visits: [Int: FakeMobileFirstRequest] = [:]
  private var counts: [String: Int] = [:]

  init(application: FakeMobileFirstApplication, switches: FakeMobileFirstSwitches) {
    self.application = application
    self.switches = switches
  }

  mutating func begin(at moment: Moment, isSecure: Bool) {
    now = moment.wall.inMilliseconds
  }

  func told(_ wall: Timestamp) -> Timestamp { wall + .milliseconds(switches.clockSkewMs) }

  /// The time as the server tells it.
  var told: Timestamp { told(now) }

  /// The next id of a sort: `client-1`, `client-2` and so on.
  mutating func nextID(_ sort: String) -> String {
    let count = counts[sort, default: 0] + 1
    counts[sort] = count
    return "\(sort)-\(count)"
  }

  /// Forgets a client with its codes and tokens.
  mutating func forget(_ clientID: String) {
    clients[clientID] = nil
    codes = codes.filter { $0.value.clientID != clientID }
    tokens = tokens.filter { $0.value.clientID != clientID }
  }
}

/// The refusals that a fake MobileFirst server gives in more than one place.
enum MobileFirstReply {
  /// A refusal of the registration or preauthorization API.
  static func error(_ code: String, status: Int = 400) -> LoopbackReply {
    .json(["errorCode": .string(code)], status: status)
  }

  /// The client's id is not known (any more).
  static let unknownClient = error("INVALID_CLIENT_ID")
  /// The request cannot be understood (inferred).
  static let invalidRequest = error("INVALID_REQUEST")

  /// A refusal of the authorization API (RFC 6749 section 5.2).
  static func grantError(_ error: String, status: Int = 400) -> LoopbackReply {
    .refused(error, status: status, fields: ["Cache-Control": "no-store"])
  }

  /// The client did not prove its key (inferred).
  static let invalidClient = grantError("invalid_client", status: 401)

  /// A refusal of a resource (RFC 6750 section 3).
  static func bearer(_ parameters: String = "", status: Int = 401) -> LoopbackReply {
    let value = parameters.isEmpty ? "Bearer" : "Bearer \(parameters)"
    return LoopbackReply(status: status, fields: ["WWW-Authenticate": value])
  }
}
