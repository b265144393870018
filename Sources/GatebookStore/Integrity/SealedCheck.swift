internal import GatebookCrypto
package import GatebookEvents

/// Decrypts everything encrypted that no hash of the log covers: accounts' keys, the vault,
/// documents, waiting logins, places of copies.
///
/// Compares the lookups of accounts with their encrypted lists.
struct SealedCheck {
  private(set) var found = VerifiedSecrets()
  private(set) var problems: [SealedProblem] = []

  private let connection: Connection
  private let sealer: Sealer
  private var accounts: [Int64: Account] = [:]

  private struct Account {
    let id: AccountID
    let state: AccountState?
    /// `nil` for an account without a key.
    var opens: Bool?
    /// Whether the vault keeps a secret of its session, be it readable or not.
    var hasSession = false
    var list: LookupList?
  }

  /// Checks the book as it is now; `nil` when it was opened without its key.
  ///
  /// - Parameters:
  ///   - reader: The book.
  ///   - hasWholeLog: Whether the log agrees with itself: only then sessions' secrets are compared
  ///     with it.
  /// - Throws: `storage` failures; `storage.damaged` for a log that cannot be folded.
  init?(_ reader: BookReader, hasWholeLog: Bool) throws(GatebookError) {
    guard let sealer = reader.sealer else { return nil }
    connection = reader.connection
    self.sealer = sealer
    if hasWholeLog { found.hasComparedGenerations = try !Self.wasRecovered(connection) }
    let fold = try Self.fold(connection)
    try openKeys(fold)
    try openVault()
    try findMissingSessions()
    try compareLookups()
    if try connection.has(table: "attempt") {
      try open(
        "SELECT session, key, sealed FROM attempt", counting: \.others, .attempt,
        "The data of a waiting login was changed: it cannot be decrypted."
      ) { row in
        SessionID(bytes: row.raw(0)).map {
          sealer.openAttempt(row.bytes(2), key: row.bytes(1), of: $0) != nil
        } ?? false
      }
    }
    if try connection.has(table: "copy") {
      try open(
        "SELECT id, place FROM copy", counting: \.others, .copy,
        "The path of a copy of the book was changed: it cannot be decrypted."
      ) { row in
        CopyID(bytes: row.raw(0)).map { sealer.openPlace(row.bytes(1), of: $0) != nil } ?? false
      }
    }
    if try connection.has(table: "document") {
      try open(
        "SELECT name, sealed FROM document WHERE sealed IS NOT NULL", counting: \.documents,
        .document,
        "The copy of a document that a server publishes was changed: it cannot be decrypted."
      ) { sealer.openDocument($0.bytes(1), named: DocumentName(bytes: $0.bytes(0))) != nil }
    }
  }

  /// The log itself: no hash covers what was folded of it before.
  private static func fold(_ connection: Connection) throws(GatebookError) -> BookFold {
    var log = try FoldedLog(connection, of: nil)
    log.end = try LogScan(connection).fold(into: &log.fold, after: log.end)
    return log.fold
  }

  /// Whether the book was recovered, be it before its last archive: the vault may then be older
  /// than the log.
  private static func wasRecovered(_ connection: Connection) throws(GatebookError) -> Bool {
    guard let baseline = try Baseline.read(connection) else { return false }
    guard !baseline.isRecovered else { return true }
    let number = try connection.first(
      "SELECT number FROM kind WHERE name = ?1", EventKind.bookRecovered
    ) { $0.integer(0) }
    guard let number else { return false }
    let key = TallyKey(part: TallyKey.book, number: 0, kind: number)
    return try BaselineRows(connection).tallies()[key] != nil
  }

  private mutating func openKeys(_ fold: BookFold) throws(GatebookError) {
    let rows = try connection.rows("SELECT number, id, key FROM account ORDER BY number")
    while let row = try rows.next() {
      guard let id = AccountID(bytes: row.bytes(1)) else { continue }
      var account = Account(id: id, state: fold.state(of: id))
      let isErased = account.state?.state == .ended(.erased)
      if row.isNull(2) {
        if !isErased, account.state != nil {
          note(.keyMissing, id, "Account \(id) has no key, although it was not erased.")
        }
      } else if !row.bytes(2).isEmpty {
        let opens = try sealer.opens(row.bytes(2), of: id)
        account.opens = opens
        if isErased { note(.keyKept, id, "Account \(id) was erased, but still has a key.") }
        if opens {
          found.keys += 1
        } else {
          note(.keyChanged, id, "The key of account \(id) was changed: it cannot be decrypted.")
        }
      }
      accounts[row.integer(0)] = account
    }
  }

  private mutating func openVault() throws(GatebookError) {
    let rows = try connection.rows(
      "SELECT account, purpose, generation, sealed FROM vault ORDER BY account, purpose")
    while let row = try rows.next() {
      let (number, purpose) = (row.integer(0), row.text(1))
      guard let account = accounts[number] else {
        note(
          .ownerless, nil, purpose: purpose,
          "The vault keeps `\(purpose)` of an account that is not in the book.")
        continue
      }
      if purpose == "session" { accounts[number]?.hasSession = true }
      guard let opens = account.opens else {
        note(
          .ownerless, account.id, purpose: purpose,
          "The vault keeps `\(purpose)` of account \(account.id), which has no key.")
        continue
      }
      // A key that cannot be decrypted is reported already.
      guard opens else { continue }
      let generation = row.integer(2)
      guard
        let content = sealer.open(
          row.bytes(3), of: account.id, .vault(purpose: purpose, generation: generation))
      else {
        note(
          .secretChanged, account.id, purpose: purpose,
          "The vault's `\(purpose)` of account \(account.id) was changed: it cannot be decrypted."
        )
        continue
      }
      guard purpose != LookupList.purpose else {
        takeList(content, generation, of: number)
        continue
      }
      found.secrets += 1
      if purpose == "session" { compare(generation, account) }
    }
  }

  private mutating func compare(_ generation: Int64, _ account: Account) {
    guard found.hasComparedGenerations, let state = account.state, state.state.isUsable,
      generation != state.generation
    else { return }
    note(
      .secretReplaced, account.id, purpose: "session",
      "The session secret of account \(account.id) has generation \(generation), but the log has "
        + "\(state.generation): it was replaced by another version.")
  }

  /// Each login writes its session's secret with its own event, and only the end of the session
  /// takes it away.
  private mutating func findMissingSessions() throws(GatebookError) {
    // Nobody uses an archive's secrets: the book that continues it has its own.
    guard found.hasComparedGenerations, try !ArchiveMark.isSet(connection) else { return }
    for (_, account) in accounts.sorted(by: { $0.key < $1.key }) where account.opens == true {
      guard !account.hasSession, account.state?.state.isUsable == true else { continue }
      note(
        .sessionMissing, account.id, purpose: "session",
        "The session secret of account \(account.id) is missing, although its session has not ended in "
          + "the log."
      )
    }
  }

  private mutating func takeList(_ content: [UInt8], _ generation: Int64, of number: Int64) {
    guard let account = accounts[number] else { return }
    guard let list = LookupList(content) else {
      note(.lookups, account.id, "The list of lookups of account \(account.id) cannot be read.")
      return
    }
    // A version of Gatebook that keeps no lists may have logged the account in since.
    guard generation >= account.state?.person.rawValue ?? 0 else { return }
    accounts[number]?.list = list
  }

  private mutating func compareLookups() throws(GatebookError) {
    var owners: [[UInt8]: Int64] = [:]
    var found: [Int64: Set<[UInt8]>] = [:]
    let rows = try connection.rows("SELECT hash, account FROM account_lookup")
    var lost = 0
    while let row = try rows.next() {
      let (hash, number) = (row.bytes(0), row.integer(1))
      owners[hash] = number
      found[number, default: []].insert(hash)
      if accounts[number] == nil { lost += 1 }
    }
    if lost > 0 {
      note(.lookupsAstray, nil, "\(lost) lookups lead to accounts that are not in the book.")
    }
    for (number, account) in accounts.sorted(by: { $0.key < $1.key }) where account.opens == true {
      guard let list = account.list else {
        self.found.unlisted += 1
        continue
      }
      self.found.lists += 1
      if list.taken != nil { self.found.takenLists += 1 }
      compare(list, found[number] ?? [], owners, account.id)
    }
  }

  private mutating func compare(
    _ list: LookupList, _ hashes: Set<[UInt8]>, _ owners: [[UInt8]: Int64], _ account: AccountID
  ) {
    let missing = list.hashes.count { owners[$0] == nil }
    let elsewhere = list.hashes.subtracting(hashes).count - missing
    let added = hashes.subtracting(list.hashes).count
    if missing > 0 {
      note(
        .lookups, account,
        "\(missing) lookups of account \(account) were changed or are missing: the next login of its "
          + "user may create a second account.")
    }
    if elsewhere > 0 {
      note(
        .lookups, account,
        "\(elsewhere) lookups of account \(account) lead to another account.")
    }
    if added > 0 {
      note(.lookups, account, "\(added) lookups that no login wrote lead to account \(account).")
    }
  }

  private mutating func note(
    _ fault: SealedProblem.Fault, _ account: AccountID?, purpose: String? = nil,
    _ text: String
  ) {
    problems.append(SealedProblem(fault: fault, account: account, purpose: purpose, text: text))
  }

  /// Decrypts the encrypted value of each row of a query.
  private mutating func open(
    _ sql: String, counting count: WritableKeyPath<VerifiedSecrets, Int64>,
    _ fault: SealedProblem.Fault, _ text: String, _ opens: (Statement) -> Bool
  ) throws(GatebookError) {
    let rows = try connection.rows(sql)
    while let row = try rows.next() {
      if opens(row) { found[keyPath: count] += 1 } else { note(fault, nil, text) }
    }
  }
}

extension BookReader {
  /// What is wrong with encrypted data, and with what finds accounts.
  ///
  /// - Parameter hasWholeLog: Whether the log agrees with itself: only then sessions' secrets are
  ///   compared with it.
  /// - Returns: The problems, in the order of the accounts; none without the key.
  /// - Throws: `storage` failures; `storage.damaged` for a log that cannot be folded.
  package func sealedProblems(hasWholeLog: Bool) throws(GatebookError) -> [SealedProblem] {
    try inSnapshot { () throws(GatebookError) in
      try SealedCheck(self, hasWholeLog: hasWholeLog)?.problems ?? []
    }
  }
}
