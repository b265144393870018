/// What an event is in the class Authentication (3002) of the Open Cybersecurity Schema Framework.
///
/// ``KindTraits`` says which kind is what. Source: OCSF 1.8.0, Identity & Access Management.
package struct AuthenticationActivity: Hashable, Sendable {
  /// The values of `activity_id`.
  package enum Activity: Int64 {
    case logon = 1
    case logoff = 2
    case ticket = 3
    case preauth = 6
    case accountSwitch = 7

    package var name: StaticString {
      switch self {
      case .logon: "Logon"
      case .logoff: "Logoff"
      case .ticket: "Authentication Ticket"
      case .preauth: "Preauth"
      case .accountSwitch: "Account Switch"
      }
    }
  }

  /// The values of `status_id`; 0 of what has only begun.
  package enum Status: Int64 {
    case unknown = 0
    case success = 1
    case failure = 2

    package var name: StaticString {
      switch self {
      case .unknown: "Unknown"
      case .success: "Success"
      case .failure: "Failure"
      }
    }
  }

  /// The values of `severity_id`.
  package enum Severity: Int64 {
    case informational = 1
    case low = 2
    case medium = 3
    case high = 4

    package var name: StaticString {
      switch self {
      case .informational: "Informational"
      case .low: "Low"
      case .medium: "Medium"
      case .high: "High"
      }
    }
  }

  package let activity: Activity
  package let status: Status
  package let severity: Severity

  init(_ activity: Activity, _ status: Status, _ severity: Severity = .informational) {
    self.activity = activity
    self.status = status
    self.severity = severity
  }

  /// What an event of a kind is; `nil` for one that is about no authentication.
  package init?(_ kind: EventKind, reason: EndReason?) {
    guard let activity = kind.traits.activity else { return nil }
    self =
      kind == .sessionEnded
      ? Self(activity.activity, activity.status, Self.severity(of: reason)) : activity
  }

  private static func severity(of reason: EndReason?) -> Severity {
    switch reason {
    // Somebody else may have the token, or be somebody else.
    case .identityMismatch, .refusedAfterUnknownOutcome: .high
    case .user, .policy, .expired: .informational
    default: .medium
    }
  }
}
