internal import Gatebook
internal import GatebookEvents
internal import GatebookStore

/// The pseudonym of a name that an account has in its events.
struct Pseudonym: Hashable {
  let account: AccountID
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
  /// - Returns: Each of them once.
  /// - Throws: `storage` failures.
  static func all(
    in reader: BookReader, after position: Int64, upTo end: Int64, _ key: PseudonymKey
  ) throws(GatebookError) -> Set<Pseudonym> {
    var events = try eventsBesideState(in: reader, after: position, upTo: end)
    for kind in kinds {
      var filter = EventFilter(kind: kind.rawValue, after: Position(rawValue: position))
      filter.upTo = Position(rawValue: end)
      events += try reader.events(filter)
    }
    var found: Set<Pseudonym> = []
    for event in events {
      guard let account = event.account else { continue }
      for (purpose, name) in names(in: event) {
        found.insert(Pseudonym(account: account, value: key.pseudonym(of: name, as: purpose)))
      }
    }
    return found
  }

  /// The kinds of events that hold names.
  private static let kinds: [EventKind] = [
    .accountAdded, .loginStarted, .loginSucceeded, .checkSucceeded,
  ]

  /// Events that a book has kept beside the state after an archive: who its accounts are.
  private static func eventsBesideState(
    in reader: BookReader, after position: Int64, upTo end: Int64
  ) throws(GatebookError) -> [RecordedEvent] {
    guard position < (try reader.extent()).floor else { return [] }
    var events: [RecordedEvent] = []
    for account in try reader.accounts().map(\.account) {
      events += try reader.eventsBesideState(
        of: account, after: Position(rawValue: position)
      ).filter { $0.position.rawValue <= end && kinds.contains(where: $0.isKind) }
    }
    return events
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
