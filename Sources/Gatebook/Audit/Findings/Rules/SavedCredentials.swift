/// ``FindingRule/weakKey``: credentials that are saved under a key that is not kept well.
struct SavedCredentials {
  static let kinds: Set<EventKind> = [.credentialsSaved, .credentialsRemoved]

  private struct Place: Hashable {
    let account: Int64
    let purpose: String
  }

  /// What is saved and was not removed.
  private var saved: [Place: Incident] = [:]

  mutating func take(_ event: ScannedEvent) {
    let purpose = FactScanner(event.data).text("purpose") ?? "login"
    let place = Place(account: event.account, purpose: purpose)
    if event.kind == .credentialsRemoved {
      saved[place] = nil
    } else if saved[place] == nil {
      saved[place] = Incident(event)
    } else {
      saved[place]?.add(event.position, event.at)
    }
  }

  func finish(_ strength: KeyStrength, into findings: inout FindingList) {
    guard let (severity, title) = Self.judge(strength) else { return }
    for incident in saved.values { findings.add(.weakKey, severity, title, incident) }
  }

  /// What is said of credentials under such a key; `nil` for a key that is kept well.
  static func judge(_ strength: KeyStrength) -> (Finding.Severity, Sentence)? {
    switch strength {
    case .good: nil
    case .file: (.note, "Credentials are saved, and the key that encrypts them is in a file.")
    case .fileBesideBook:
      (
        .warning,
        "Credentials are saved, and the key that encrypts them is in a file next to the book."
      )
    }
  }
}
