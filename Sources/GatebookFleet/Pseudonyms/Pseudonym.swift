internal import Gatebook
internal import GatebookEvents
internal import GatebookStore

/// The pseudonym of a name that an event holds.
struct Pseudonym {
  let position: Position
  let account: AccountID
  let session: SessionID?
  let purpose: PseudonymPurpose
  let value: [UInt8]

  /// The pseudonyms of the names in some events.
  ///
  /// Names of erased accounts are gone, and so have none.
  ///
  /// - Parameters:
  ///   - reader: The book, with its key.
  ///   - position: The last event that is left out.
  ///   - end: The last event that counts.
  ///   - key: The key.
  /// - Returns: At most three for each event.
  /// - Throws: `storage` failures.
  static func all(
    in reader: BookReader, after position: Int64, upTo end: Int64, _ key: PseudonymKey
  ) throws(GatebookError) -> [Pseudonym] {
    var found: [Pseudonym] = []
    for kind in [EventKind.accountAdded, .loginStarted, .loginSucceeded, .checkSucceeded] {
      var filter = EventFilter(kind: kind.rawValue, after: Position(rawValue: position))
      filter.upTo = Position(rawValue: end)
      for event in try reader.events(filter) {
        guard let account = event.account else { continue }
        found += names(in: event).map { purpose, name in
          Pseudonym(
            position: event.position, account: account, session: event.session, purpose: purpose,
            value: key.pseudonym(of: name, as: purpose))
        }
      }
    }
    return found
  }

  /// The names of people that an event holds.
  private static func names(
    in event: RecordedEvent
  ) -> [(purpose: PseudonymPurpose, name: String)] {
    guard let personal = event.personal?.value else { return [] }
    let names: [(PseudonymPurpose, String?)]
    if event.isKind(.loginStarted) {
      names = [(.typed, LoginStarted.Personal(personal).user)]
    } else if event.isKind(.loginSucceeded) {
      let person = LoginSucceeded.Personal(personal)
      names = [(.user, person.user), (.id, person.userID)]
    } else if event.isKind(.checkSucceeded) {
      let person = CheckSucceeded.Personal(personal)
      names = [(.user, person.user), (.id, person.userID)]
    } else {
      let person = AccountAdded.Personal(personal).person
      names = [(.user, person.user), (.id, person.userID)]
    }
    return names.compactMap { purpose, name in
      guard let name, !name.isEmpty else { return nil }
      return (purpose, name)
    }
  }
}
