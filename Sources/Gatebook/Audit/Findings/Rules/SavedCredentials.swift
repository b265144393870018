internal import GatebookSystem

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

/// How well the book's key is kept now.
enum KeyStrength {
  /// In a keyring, encrypted with a passphrase, or in a place that only an app knows.
  case good
  /// In a file of its own: who has both files has everything.
  case file
  /// In a file that is copied whenever somebody copies the book's folder.
  case fileBesideBook

  init(_ reader: BookReader) {
    guard reader.keySource == "file" else {
      self = .good
      return
    }
    let key = reader.keyDescription.parameters["path"]?.text
    let folder = key.flatMap { Self.folder(of: $0) }
    self = folder != nil && folder == Self.folder(of: reader.path) ? .fileBesideBook : .file
  }

  /// The folder of a file, without links; `nil` when there is none.
  private static func folder(of path: String) -> String? {
    let parent = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    return Files.resolved(parent)
  }
}
