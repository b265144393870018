internal import Gatebook
internal import GatebookEvents

/// Compares what a fleet has of erased accounts with the events that erase them.
struct ErasedAccounts {
  /// What is wrong, one sentence each.
  let problems: [String]

  /// Compares it.
  ///
  /// - Parameters:
  ///   - erased: The accounts that events of the book's histories erase.
  ///   - book: The book.
  ///   - connection: The fleet.
  /// - Throws: `fleet` failures.
  init(
    _ erased: Set<AccountID>, of book: BookID, _ connection: FleetConnection
  ) throws(GatebookError) {
    let row = try connection.run(
      """
      SELECT (SELECT count(DISTINCT p.account) FROM gatebook.pseudonym p
          WHERE p.book = $1 AND (p.account = ANY ($2::uuid[]) OR EXISTS (
            SELECT FROM gatebook.erased e WHERE e.book = $1 AND e.account = p.account))),
        (SELECT count(*) FROM unnest($2::uuid[]) a (account) WHERE NOT EXISTS (
          SELECT FROM gatebook.erased e WHERE e.book = $1 AND e.account = a.account))
      """, .identity(book), .identities(erased.sorted())
    ).first
    let (pseudonyms, unnoted) = (row?.integer(0) ?? 0, row?.integer(1) ?? 0)
    var problems: [String] = []
    if pseudonyms > 0 {
      problems.append(
        "The fleet has pseudonyms of erased accounts, which were deleted when the accounts were erased. "
          + "Number of accounts: \(pseudonyms).")
    }
    if unnoted > 0 {
      problems.append(
        "Events erase accounts that are missing in gatebook.erased. Number of accounts: \(unnoted)."
      )
    }
    self.problems = problems
  }
}
