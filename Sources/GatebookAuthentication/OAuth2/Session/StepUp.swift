package import GatebookEvents

/// What a server demands of the login before it accepts a request: a stronger authentication (RFC
/// 9470), or further scopes (RFC 6750 section 3.1).
public struct StepUp: Hashable, Sendable {
  /// The authentication context classes, one of which must be reached, the preferred one first;
  /// empty for any.
  public var contextClasses: [String]
  /// The maximum age of the user's authentication; `nil` for any.
  public var maximumAge: Duration?
  /// The required scopes.
  public var scopes: [String]

  /// Makes a demand.
  ///
  /// - Parameters:
  ///   - contextClasses: Authentication context classes, one of which must be reached.
  ///   - maximumAge: The maximum age of the user's authentication.
  ///   - scopes: The required scopes.
  public init(
    contextClasses: [String] = [], maximumAge: Duration? = nil, scopes: [String] = []
  ) {
    self.contextClasses = contextClasses
    self.maximumAge = maximumAge
    self.scopes = scopes
  }

  /// Whether the user must authenticate again, or more strongly; otherwise only scopes are missing.
  public var isAboutAuthentication: Bool { !contextClasses.isEmpty || maximumAge != nil }
}

extension StepUp {
  /// Reads what a resource wants; `nil` for an answer that wants no stronger login.
  ///
  /// RFC 9470 section 3 for a 401, RFC 6750 section 3.1 for a 403, which some servers make a 401.
  /// What the server left out stays empty, and the answer still counts.
  package init?(_ reply: HTTPReply) {
    guard let error = Self.error(in: reply) else { return nil }
    let challenge = reply.challenges.first {
      ["bearer", "dpop"].contains($0.scheme) && $0["error"] == error
    }
    self.init(
      contextClasses: Self.words(challenge?["acr_values"]),
      maximumAge: challenge?["max_age"].flatMap(Self.seconds),
      scopes: Self.words(challenge?["scope"]))
  }

  /// The code of an answer that wants scopes that the session does not have (RFC 6750 section 3.1).
  package static let scopeError = "insufficient_scope"

  /// The code with which an answer wants a stronger login, or more scopes; `nil` for any other
  /// answer.
  package static func error(in reply: HTTPReply) -> String? {
    let errors: [String]
    switch reply.status {
    case 401: errors = ["insufficient_user_authentication", scopeError]
    case 403: errors = [scopeError]
    default: return nil
    }
    return errors.first(where: reply.tokenErrors.contains)
  }

  /// Whether an answer wants scopes that the session does not have, whether or not it names them.
  package static func isAboutScopes(_ reply: HTTPReply) -> Bool {
    error(in: reply) != nil && reply.tokenErrors.contains(scopeError)
  }

  /// The words of a list; one that no server means in earnest counts as none.
  private static func words(_ list: String?) -> [String] {
    let words = (list ?? "").split(separator: " ").map(String.init)
    // RFC 6749 appendix A.4: a scope is of printable ASCII without quotes and backslashes.
    let isMeant = words.allSatisfy { word in
      word.utf8.count <= 255
        && word.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
    }
    return isMeant && words.count <= 64 ? words : []
  }

  /// A number of seconds, at most a century.
  private static func seconds(_ text: String) -> Duration? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let seconds = Int64(text), seconds <= 3_153_600_000
    else { return nil }
    return .seconds(seconds)
  }
}

extension StepUp {
  /// Refuses tokens with fewer scopes than demanded.
  ///
  /// - Parameter granted: The scopes that were granted; `nil` if nobody said.
  /// - Throws: `scope.missing` with the names of those that are missing.
  func check(_ granted: String?) throws(GatebookError) {
    let names = Set((granted ?? "").split(separator: " ").map(String.init))
    let missing = scopes.filter { !names.contains($0) }
    guard !missing.isEmpty else { return }
    throw GatebookError(
      .scopeMissing, "The server did not grant \(missing.joined(separator: ", ")).",
      kept: GatebookError.sessionKept,
      remedy: "Ask the server's administrator to grant these scopes.")
  }
}

extension StepUp: StoredRecord {
  /// What is demanded.
  package init(_ kept: Self?, _ facts: inout some FactsCoder) throws(Unreadable) {
    contextClasses = try facts.required("classes", kept?.contextClasses)
    maximumAge = facts.optional("maximumAgeUs", kept?.maximumAge)
    scopes = try facts.required("scopes", kept?.scopes)
  }
}

/// A session of which a server may demand a stronger login.
package protocol StepUpCapable: SessionProof {
  /// What an answer wants of the login before the server takes the request; the session itself
  /// stays what it is.
  ///
  /// - Parameter reply: The answer.
  /// - Returns: What is wanted; `nil` for nothing.
  func demand(in reply: HTTPReply) -> StepUp?

  /// The login on a page that answers a demand, for the same account.
  ///
  /// - Parameters:
  ///   - demand: What is wanted.
  ///   - redirectURI: Where the server sends the browser back to.
  /// - Returns: The method.
  /// - Throws: `configuration.invalid` where the method has no such login, `login.unprovable` where
  ///   nothing could prove what came of it.
  func stepUp(to demand: StepUp, redirectURI: String) throws(GatebookError) -> LoginMethod
}

extension StepUpCapable {
  /// This.
  package var stepUpCapable: (any StepUpCapable)? { self }
}

extension SessionProof {
  /// The login on a page that answers a demand, for the same account.
  ///
  /// - Parameters:
  ///   - demand: What is wanted.
  ///   - redirectURI: Where the server sends the browser back to.
  /// - Returns: The method.
  /// - Throws: As ``StepUpCapable/stepUp(to:redirectURI:)``; `configuration.invalid` for methods
  ///   that have no such login.
  package func strongerLogin(
    for demand: StepUp, redirectURI: String
  ) throws(GatebookError) -> LoginMethod {
    guard let proof = stepUpCapable else {
      throw GatebookError(
        .configurationInvalid, "The method `\(Self.method)` has no stronger login.",
        kept: GatebookError.sessionKept, remedy: "Log in with a method that has one.")
    }
    return try proof.stepUp(to: demand, redirectURI: redirectURI)
  }
}
