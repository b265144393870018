/// Which challenge an event is about.
package struct AskedChallenge: Hashable, Sendable {
  /// The security check, or `step-up`.
  package var check: String?
  /// The flow that the check belongs to.
  package var flow: FlowID?
  /// Whether a proxy asks.
  package var isOfProxy = false
  /// Which question of the login or the request it is, from 1.
  package var round: Int64?
  /// The scheme, or what the challenge is: see "Facts of challenges" in "Event format".
  package var scheme: String
  /// `offline`: a password that is checked without the server.
  package var source: String?

  package init(scheme: String, round: Int64? = nil) {
    self.scheme = scheme
    self.round = round
  }

  /// Whether it is about a password that is checked without the server.
  package var isOffline: Bool { source == "offline" }

  /// Whether a server wants a stronger login, or one with more scopes.
  package var isStepUp: Bool { check == Self.stepUp }

  /// What a demand of a stronger login is called among checks.
  package static let stepUp = "step-up"

  /// Whether a server asks for a security check of MobileFirst.
  var isSecurityCheck: Bool { ["mobilefirst", "mfp-challenge"].contains(scheme) }

  /// The check's name: ` “PinCheck”`; empty for none.
  var name: String { check.map { " “\($0)”" } ?? "" }

  /// What was asked for.
  var words: String {
    if isStepUp { return "a login as it demands" }
    return switch scheme {
    case "server-trust": "a decision about its certificate"
    case "redirect": "a login on its page"
    case "device": "a code to be entered on another device"
    case "mobilefirst", "mfp-challenge": "the answer to its security check\(name)"
    case _ where isOfProxy: "the proxy's \(scheme.orUnknown) credentials"
    default: "\(scheme.orUnknown) credentials"
    }
  }
}

extension AskedChallenge: FactsRecord {
  package static var blank: Self { Self(scheme: "") }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("check", &check)
    facts.code("source", &source)
    guard facts.hasDetails else { return }
    facts.code("flow", &flow)
    facts.code("proxy", &isOfProxy, unless: false)
    facts.code("round", &round)
    facts.code("scheme", &scheme)
  }
}

/// What an event says of how a challenge ended; never the answer.
package struct ChallengeEnd: FactsRecord, Hashable, Sendable {
  /// How many redirects of no login came after the recorded ones.
  package var dropped: Int64?
  /// The names of what was answered.
  package var fields: [String]?
  /// What distinguishes the redirect of a page from others.
  package var fingerprint: String?
  /// The fingerprint of a name in the answer.
  package var name: String?
  /// How many attempts remain.
  package var remaining: Int64?

  package init() {}

  package static var blank: Self { Self() }

  package mutating func code(with facts: inout some FactsCoder) {
    facts.code("dropped", &dropped)
    facts.code("fields", &fields)
    facts.code("fingerprint", &fingerprint)
    facts.code("name", &name)
    facts.code("remaining", &remaining)
  }
}
