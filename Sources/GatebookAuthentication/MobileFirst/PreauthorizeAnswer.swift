internal import GatebookEvents

/// What a server answered to a preauthorize: the status decides, then the body is read leniently.
///
/// Source: sections 2 and 6.2.
enum PreauthorizeAnswer {
  /// What checks say, by their names.
  struct Checks {
    var successes = Facts()
    var challenges = Facts()
    var failures = Facts()
    /// The server's clock, in milliseconds since 1970; `nil` when it does not say.
    var serverTime: Int64?
  }

  /// 200: all checks of the scope have succeeded.
  case passed(Checks)
  /// 401 with `MFP-Challenge`.
  case challenged(Checks)
  /// 403, or 222 with failures: a check refuses whatever is answered.
  case failed(Checks)
  /// 400 `INVALID_CLIENT_ID`.
  case unknownClient
  /// 409 with `MFP-Conflict`: to be sent again as it was.
  case conflicting
  /// A name in `successes` that is no check.
  static let clock = "clockSynchronization"
  /// A challenge that is handled alone.
  static let directUpdate = "directUpdate"

  /// Classifies an answer.
  ///
  /// - Parameters:
  ///   - reply: The answer.
  ///   - url: What was asked.
  ///   - scope: What was asked for.
  /// - Throws: Anything else, as the failure that it is.
  init(
    _ reply: HTTPReply, from url: HTTPURL, for scope: AuthorizationScope
  ) throws(GatebookError) {
    let body = JSONDocument.read(reply.body)?.object
    let refusal = MobileFirstRefusal(body)
    let isChallenge = reply.challenges.contains { $0.scheme == "mfp-challenge" }
    switch (reply.status, body.map { Checks($0) }) {
    case (200, let checks?): self = .passed(checks)
    // The stand-in status of hybrid clients: a refusal exactly when there are failures.
    case (222, let checks?): self = checks.failures.isEmpty ? .passed(checks) : .failed(checks)
    case (401, let checks?) where isChallenge && !checks.challenges.isEmpty:
      self = .challenged(checks)
    case (200, nil), (222, nil),
      (401, _) where isChallenge:
      throw .unexpected(
        "The server answered \(reply.status) without the JSON of a preauthorize request.",
        remedy: "Check the server's URL and its context path.", status: reply.status)
    case (403, let checks?) where !checks.failures.isEmpty: self = .failed(checks)
    case (403, _): throw .refused(reply, by: url)
    case (400, _) where refusal.isUnknownClient: self = .unknownClient
    case (400, _) where refusal.isUnknownScope: throw .unknownScope(scope, status: reply.status)
    case (409, _) where ResourceRefusal.isConflict(reply): self = .conflicting
    default: throw refusal.error(reply, from: url)
    }
  }
}

extension PreauthorizeAnswer.Checks {
  init(_ body: Facts) {
    successes = body["successes"]?.object ?? [:]
    serverTime = successes[PreauthorizeAnswer.clock]?.object?["serverTimeStamp"]?.integer
    successes[PreauthorizeAnswer.clock] = nil
    failures = body["failures"]?.object ?? [:]
    challenges = body["challenges"]?.object ?? [:]
    // "A key directUpdate, if present, is handled alone."
    if let update = challenges[PreauthorizeAnswer.directUpdate] {
      challenges = [PreauthorizeAnswer.directUpdate: update]
    }
  }
}

/// What the authorization endpoint answered: a code or a refusal, in a redirect that is not
/// followed (section 6.3), or in the body as to a web client.
enum AuthorizationAnswer {
  case code(String)
  case refused(String?)
  case other

  init(_ reply: HTTPReply) {
    switch reply.status {
    case 302, 303:
      guard let location = reply.fields.first("Location"), let url = HTTPURL(location),
        url.origin.scheme == "https", url.origin.host == "mfpredirecturi"
      else {
        self = .other
        return
      }
      let query = FormFields(decoding: (url.query ?? "").utf8)
      self.init(["code": .optional(query?["code"]), "error": .optional(query?["error"])])
    case 200:
      self = JSONDocument.read(reply.body)?.object.map { AuthorizationAnswer($0) } ?? .other
    default: self = .other
    }
  }

  private init(_ facts: Facts) {
    if let code = facts["code"]?.text, !code.isEmpty {
      self = .code(code)
    } else if let error = facts["error"]?.text {
      self = .refused(error)
    } else {
      self = .other
    }
  }
}
