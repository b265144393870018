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
    let title: Sentence
    let severity: Finding.Severity
    switch strength {
    case .good: return
    case .file:
      severity = .note
      title = "Credentials are saved, and the key that seals them is in a file."
    case .fileBesideBook:
      severity = .warning
      title = "Credentials are saved, and the key that seals them is in a file beside the book."
    }
    for incident in saved.values { findings.add(.weakKey, severity, title, incident) }
  }
}
