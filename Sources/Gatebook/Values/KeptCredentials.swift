/// The credentials for challenges that the vault keeps: of an account, or of its session.
struct KeptCredentials: Sendable, Equatable {
  /// What this Gatebook can read.
  var known: [GivenCredential] = []
  /// Entries of a newer one, which must still be there when it comes back (rule 9).
  var unread: [FactValue] = []

  /// Whether there is nothing to keep.
  var isEmpty: Bool { known.isEmpty && unread.isEmpty }

  /// With further credentials, each in the place of an older one for the same space.
  func adding(_ given: [GivenCredential]) -> KeptCredentials {
    KeptCredentials(known: given.reduce(known) { $0.adding($1) }, unread: unread)
  }
}

extension KeptCredentials: Storable {
  /// Reads what `record` wrote.
  init(record: [FactValue]) {
    for entry in record {
      if let given = GivenCredential(fact: entry) {
        known.append(given)
      } else {
        unread.append(entry)
      }
    }
  }

  var record: [FactValue] { known.record + unread }
}
