internal import Gatebook

/// What an event is in the class Authentication (3002) of the Open Cybersecurity Schema Framework.
///
/// The one table of the mapping. Source: OCSF 1.8.0, Identity & Access Management.
struct AuthenticationActivity {
  /// The values of `activity_id`.
  enum Activity: Int64 {
    case logon = 1
    case logoff = 2
    case ticket = 3
    case preauth = 6
    case accountSwitch = 7

    var name: StaticString {
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
  enum Status: Int64 {
    case unknown = 0
    case success = 1
    case failure = 2

    var name: StaticString {
      switch self {
      case .unknown: "Unknown"
      case .success: "Success"
      case .failure: "Failure"
      }
    }
  }

  /// The values of `severity_id`.
  enum Severity: Int64 {
    case informational = 1
    case low = 2
    case medium = 3
    case high = 4

    var name: StaticString {
      switch self {
      case .informational: "Informational"
      case .low: "Low"
      case .medium: "Medium"
      case .high: "High"
      }
    }
  }

  let activity: Activity
  let status: Status
  let severity: Severity

  private init(_ activity: Activity, _ status: Status, _ severity: Severity = .informational) {
    self.activity = activity
    self.status = status
    self.severity = severity
  }

  /// What a kind of event is; `nil` for one that is about no authentication.
  init?(_ kind: EventKind, reason: EndReason?) {
    switch kind {
    case .loginSucceeded, .sessionRestored: self.init(.logon, .success)
    case .loginFailed: self.init(.logon, .failure, .low)
    case .loginCancelled: self.init(.logon, .failure)
    case .logoutRequested, .logoutCompleted, .sessionExpired, .revocationSucceeded, .tokenCleared:
      self.init(.logoff, .success)
    case .sessionEnded: self.init(.logoff, .success, Self.severity(of: reason))
    case .revocationQueued: self.init(.logoff, .unknown)
    case .revocationFailed: self.init(.logoff, .failure, .low)
    case .refreshStarted: self.init(.ticket, .unknown)
    case .refreshSucceeded, .refreshAdopted, .tokenGranted, .sessionVerified:
      self.init(.ticket, .success)
    case .refreshFailed, .refreshDiscarded: self.init(.ticket, .failure, .low)
    case .refreshDeferred, .sessionUncertain, .sessionUnverified, .requestRefused:
      self.init(.ticket, .failure)
    case .loginStarted, .challengeReceived: self.init(.preauth, .unknown)
    case .challengeAnswered, .checkSucceeded, .trustDecided, .originAllowed, .credentialsLoaded:
      self.init(.preauth, .success)
    case .challengeFailed: self.init(.preauth, .failure, .low)
    case .challengeCancelled: self.init(.preauth, .failure)
    case .accountSwitched: self.init(.accountSwitch, .success)
    case .bookCreated, .bookMigrated, .bookOpened, .bookBackedUp, .bookContinued, .bookRecovered,
      .keyChanged, .accountAdded, .accountRenamed, .accountErased,
      .credentialsSaved, .credentialsRemoved, .attributesChanged, .cookiesChanged,
      .registrationCreated, .registrationReplaced, .registrationRejected, .clockObserved,
      .discoveryChanged:
      return nil
    }
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
