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
    .json(["error": .string(error)], status: status, fields: ["Cache-Control": "no-store"])
  }

  /// The client did not prove its key (inferred).
  static let invalidClient = grantError("invalid_client", status: 401)

  /// A refusal of a resource (RFC 6750 section 3).
  static func bearer(_ parameters: String = "", status: Int = 401) -> LoopbackReply {
    let value = parameters.isEmpty ? "Bearer" : "Bearer \(parameters)"
    return LoopbackReply(status: status, fields: ["WWW-Authenticate": value])
  }
}
