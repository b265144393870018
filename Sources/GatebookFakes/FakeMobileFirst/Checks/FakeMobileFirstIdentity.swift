internal import Gatebook

/// A user as a security check tells it.
struct FakeMobileFirstIdentity: Hashable, Sendable {
  var id: String
  var displayName: String
  /// The moment of the explicit login, never that of a remembered one.
  var authenticatedAt: Timestamp
  /// The name of the check.
  var authenticatedBy: String
  var attributes: [String: String] = [:]

  /// The user as `successes` has it.
  var json: PlainJSON {
    let attributes = attributes.sorted { $0.key < $1.key }.map {
      PlainJSON.Member(name: $0.key, value: .string($0.value))
    }
    return [
      "id": .string(id), "displayName": .string(displayName),
      "authenticatedAt": .integer(authenticatedAt.milliseconds),
      "authenticatedBy": .string(authenticatedBy), "attributes": .object(attributes),
    ]
  }
}

extension Timestamp {
  /// Milliseconds since 1970 UTC, as MobileFirst counts.
  var milliseconds: Int64 { rawValue / 1000 }

  /// The moment, cut to milliseconds.
  var inMilliseconds: Timestamp { Timestamp(rawValue: rawValue / 1000 * 1000) }
}
