internal import Gatebook

/// Git's credential protocol: lines of `name=value`, up to an empty line.
///
/// Source: git-credential(1), "INPUT/OUTPUT FORMAT", and gitcredentials(7), "CUSTOM HELPERS".
struct GitProtocol: CredentialProtocol {
  let operation: String
  /// Whether a token is handed out for `Authorization: Bearer`, where git can send that.
  var prefersBearer = false

  let program = "git"
  let mustHearOfNothing = false

  func question(_ input: [UInt8]) throws(CredentialFault) -> CredentialQuestion? {
    // "If it does not support the requested operation, it should silently ignore the request."
    guard let deed = Self.deeds[operation] else { return nil }
    let attributes = try Attributes(input)
    // Git asks for mail servers and others too.
    guard ["http", "https"].contains(attributes.scheme ?? "https") else { return nil }
    guard let url = try attributes.url() else { return nil }
    let challenges = ChallengeList.parse(attributes.challenges)
    var question = CredentialQuestion(
      deed: deed, urls: [url], user: attributes["username"],
      secret: (attributes["password"] ?? attributes["credential"]).map { Secret($0) },
      challenges: challenges)
    let schemes = Set(challenges.map { $0.scheme.lowercased() })
    question.takesBearer =
      attributes.knowsSchemes
      && (prefersBearer || (schemes.contains("bearer") && !schemes.contains("basic")))
    return question
  }

  func answer(
    _ credential: HandedCredential, to question: CredentialQuestion
  ) throws(CredentialFault) -> [UInt8] {
    let (user, secret) = try credential.lines()
    var lines =
      credential.isToken && question.takesBearer
      // Other helpers are not to save what is over soon.
      ? ["capability[]=authtype", "authtype=Bearer", "credential=\(secret)", "ephemeral=1"]
      : ["username=\(user)", "password=\(secret)"]
    if let end = credential.expiresAt {
      lines.append("password_expiry_utc=\(end.rawValue / 1_000_000)")
    }
    return Array((lines.joined(separator: "\n") + "\n").utf8)
  }

  /// "If a helper fails to perform the requested operation …, it may write to stderr": git asks the
  /// next helper, then the person, whatever the exit is.
  func refusal(_ reason: String?, _ exit: ExitCode) -> (output: [UInt8], exit: ExitCode) {
    ([], reason == nil ? .done : exit)
  }

  private static let deeds: [String: CredentialQuestion.Deed] = [
    "get": .get, "store": .accepted, "erase": .rejected,
  ]
}

extension GitProtocol {
  /// The attributes that git sent.
  private struct Attributes {
    /// Those that mean something to Gatebook; others are ignored.
    private static let known: Set<String> = [
      "protocol", "host", "path", "username", "password", "credential", "url",
    ]
    private var values: [String: String] = [:]
    /// What the server has asked for: values of `WWW-Authenticate`.
    private(set) var challenges: [String] = []
    /// Whether git can send other credentials than a name and a password.
    private(set) var knowsSchemes = false

    init(_ input: [UInt8]) throws(CredentialFault) {
      guard !input.contains(0) else { throw CredentialFault("Git's request has a NUL character.") }
      for line in input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
        guard !line.isEmpty else { break }
        guard let equals = line.firstIndex(of: UInt8(ascii: "=")) else {
          throw CredentialFault("A line of git's request has no `=`.")
        }
        try take(String(decoding: line[..<equals], as: UTF8.self), line[(equals + 1)...])
      }
      try takeURL()
    }

    subscript(name: String) -> String? { values[name] }

    /// Git writes it as the URL does, in any case.
    var scheme: String? { values["protocol"]?.lowercased() }

    private mutating func take(_ name: String, _ bytes: ArraySlice<UInt8>) throws(CredentialFault) {
      let text = String(validating: bytes, as: UTF8.self)
      switch name {
      // A challenge that is no text is as good as none.
      case "wwwauth[]": challenges += text.map { [$0] } ?? []
      case "capability[]": knowsSchemes = knowsSchemes || text == "authtype"
      case _ where Self.known.contains(name):
        guard let text, !text.unicodeScalars.contains(where: { $0.properties.isControl }) else {
          throw CredentialFault("The attribute `\(name)` of git's request is not plain text.")
        }
        try set(name, text)
      default: break
      }
    }

    /// Two values are a mistake, or somebody's try to be asked for one server and be told another's
    /// credential.
    private mutating func set(_ name: String, _ value: String) throws(CredentialFault) {
      guard values[name] == nil || values[name] == value else {
        throw CredentialFault("Git's request has the attribute `\(name)` twice.")
      }
      values[name] = value
    }

    /// Takes the attributes that a URL stands for.
    ///
    /// "When this special attribute is read by git credential, the value is parsed as a URL and
    /// treated as if its constituent parts were read."
    private mutating func takeURL() throws(CredentialFault) {
      guard let text = values["url"] else { return }
      guard let place = ServerPlace(text), let url = place.urls.first, place.urls.count == 1 else {
        // The URL of another protocol is nobody's mistake.
        values["protocol"] = String(text.prefix { $0 != ":" })
        return
      }
      let origin = url.origin.description
      try set("protocol", url.origin.scheme)
      try set("host", String(origin.dropFirst(url.origin.scheme.count + 3)))
      if let user = place.user { try set("username", user) }
      let path = url.path.drop { $0 == "/" }
      if !path.isEmpty, let decoded = PercentEncoding.decoded(path) { try set("path", decoded) }
    }

    /// Where the credential goes; `nil` where git names no host.
    func url() throws(CredentialFault) -> HTTPURL? {
      guard let scheme, let host = values["host"], !host.isEmpty else { return nil }
      // Git has decoded the path, and left out its slashes at both ends.
      let path = PercentEncoding.path(values["path"] ?? "")
      guard !host.contains(where: { "/?#@".contains($0) }),
        let url = HTTPURL("\(scheme)://\(host)/\(path)")
      else { throw CredentialFault("Git's request names a host that is none.") }
      return url
    }
  }
}

extension Unicode.Scalar.Properties {
  /// Whether it is a control character.
  fileprivate var isControl: Bool { generalCategory == .control }
}
