@testable import Gatebook
@testable import GatebookStore

extension StoredRecordTests {
  /// Reads a record of each type and writes it again.
  static let types: [String: @Sendable (Facts) -> Facts?] = [
    "DeviceWait": { WaitingLogin(attempt($0))?.record },
    "GivenCredential": { GivenCredential(record: $0)?.record },
    "GuestRegistration": { GuestRegistration(attempt($0))?.record },
    "KeptAnswer": { KeptAnswer(record: $0)?.record },
    "LoginAttempt": { LoginAttempt(record: $0)?.record },
    "LoginOptions": { LoginOptions(record: $0)?.record },
    "OfflineVerifier": { record in
      OfflineVerifier(record.encoded).flatMap { Facts(decoding: $0.encoded) }
    },
    "OutboxItem": { OutboxItem($0.encoded).flatMap { Facts(decoding: $0.encoded) } },
    "SavedSettings": { record in
      SavedSettings(record.encoded, of: account, trust: .system)
        .flatMap { SavedSettings.record($0.method, $0.values, $0.options) }
    },
    "StoredSession": { StoredSession(record: $0)?.record },
    "WaitingLogin": { WaitingLogin(attempt($0))?.record },
  ]

  private static let account = AccountID(high: 1, low: 2)
  private static let session = SessionID(high: 3, low: 4)

  private static func attempt(_ record: Facts) -> Attempt {
    Attempt(session: session, deadline: Timestamp(rawValue: 5), content: record.encoded)
  }
}
