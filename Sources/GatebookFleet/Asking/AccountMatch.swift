internal import Gatebook
internal import GatebookEvents

/// The account that a text names, and the histories that know it.
struct AccountMatch {
  let account: AccountID
  let books: [FleetBook]

  /// Finds it.
  ///
  /// - Parameters:
  ///   - text: An identity or its beginning, of at least two digits.
  ///   - books: The histories in which to look.
  ///   - isWhole: Whether these are all.
  ///   - name: The book that was asked for; `nil` for all.
  ///   - connection: The fleet.
  /// - Throws: `configuration.invalid` for none, and for more than one; `fleet` failures.
  init(
    _ text: String, _ books: [FleetBook], isWhole: Bool, in name: String?,
    _ connection: FleetConnection
  ) throws(GatebookError) {
    let digits = text.lowercased()
    guard (2...32).contains(digits.utf8.count), digits.utf8.allSatisfy(Self.isDigit) else {
      throw Self.unknown(text)
    }
    var conditions = FleetConditions()
    conditions.add("part = 'account'")
    conditions.add("starts_with(encode(name, 'hex'), ?)", .text(digits))
    if !isWhole { conditions.add("book = ANY(?)", .identities(books.map(\.id))) }
    let rows = try connection.run(
      "SELECT book, branch, name FROM gatebook.state \(conditions.clause) ORDER BY name LIMIT 10000",
      conditions)
    var found: [AccountID: Set<Home>] = [:]
    for number in 0..<rows.count {
      guard let book: BookID = rows[number].identity(0),
        let account: AccountID = rows[number].identity(2)
      else { continue }
      found[account, default: []].insert(Home(book: book, branch: Int(rows[number].integer(1))))
    }
    guard let (account, homes) = found.first else {
      throw try connection.notFound(Self.unknown(text), in: name)
    }
    guard found.count == 1 else { throw Self.ambiguous(text, found.keys.sorted()) }
    self.account = account
    self.books = books.filter { homes.contains(Home(book: $0.id, branch: $0.branch)) }
    guard !self.books.isEmpty else {
      throw try connection.notFound(Self.unknown(text), in: name)
    }
  }

  private struct Home: Hashable {
    let book: BookID
    let branch: Int
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte)
  }

  private static func unknown(_ text: String) -> GatebookError {
    GatebookError(
      .configurationInvalid, "The fleet knows no account `\(text)` there.",
      remedy:
        "Give its id, or at least two characters of its beginning: `FleetReader.accounts` lists "
        + "them. Labels and user names are encrypted."
    ).with(\.setting, "account")
  }

  private static func ambiguous(_ text: String, _ found: [AccountID]) -> GatebookError {
    let ids = found.prefix(5).map { $0.description.prefix(12) }.joined(separator: ", ")
    return GatebookError(
      .configurationInvalid, "`\(text)` is ambiguous: it matches \(found.count) accounts.",
      remedy: "Type more of the id: \(ids)."
    ).with(\.setting, "account")
  }
}
