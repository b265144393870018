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
    var events = try eventsBesideState(in: reader, after: position, upTo: end)
    for kind in kinds {
      var filter = EventFilter(kind: kind.rawValue, after: Position(rawValue: position))
      filter.upTo = Position(rawValue: end)
      events += try reader.events(filter)
    }
    return events.flatMap { event -> [Pseudonym] in
      guard let account = event.account else { return [] }
      return names(in: event).map { purpose, name in
        Pseudonym(
          position: event.position, account: account, session: event.session, purpose: purpose,
          value: key.pseudonym(of: name, as: purpose))
      }
    }
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
