internal import Gatebook
internal import GatebookEvents

/// Persons with accounts in several books of a fleet, as equal pseudonyms tell.
///
/// Accounts are of one person if they are at one server and have one name or id in common. The same
/// name at another server may be somebody else's.
struct SharedPersons {
  /// A person's accounts.
  struct Person {
    let server: String
    let accounts: ChosenAccounts
  }

  /// An account of a book.
  private struct Home: Hashable {
    let book: BookID
    let account: AccountID
  }

  /// A name at a server.
  private struct Name: Hashable {
    let value: [UInt8]
    let server: String
  }

  private let connection: FleetConnection
  /// The accounts and their names.
  private var names: [(home: Home, value: [UInt8])] = []

  /// Finds the names that several books have.
  ///
  /// - Parameters:
  ///   - selection: The histories in which to look.
  ///   - books: As many books must have a name.
  ///   - connection: The fleet.
  /// - Throws: `fleet` failures.
  init(
    _ selection: FleetSelection, inAtLeast books: Int, _ connection: FleetConnection
  ) throws(GatebookError) {
    self.connection = connection
    let (statement, conditions) = Self.question(selection, inAtLeast: books)
    let rows = try connection.partByPart { () throws(GatebookError) in
      try connection.run(statement, conditions)
    }
    names = try rows.map { (row) -> (home: Home, value: [UInt8])? in
      guard let book: BookID = row.identity(0), let account: AccountID = row.identity(1) else {
        return nil
      }
      return (Home(book: book, account: account), row.bytes(2))
    }.compactMap(\.self)
  }

  /// The statement that finds them: each part is read once, where it lies.
  static func question(
    _ selection: FleetSelection, inAtLeast books: Int
  ) -> (statement: String, conditions: FleetConditions) {
    var conditions = FleetConditions()
    if !selection.isWhole {
      conditions.add("book = ANY(?)", .identities(Set(selection.books.map(\.id)).sorted()))
    }
    let clause = conditions.clause
    return (
      """
      WITH named AS MATERIALIZED (
        SELECT book, account, value FROM gatebook.pseudonym \(clause) GROUP BY book, account, value
      ), shared AS (
        SELECT value FROM (SELECT value, book FROM named GROUP BY value, book) once
        GROUP BY value HAVING count(*) >= \(conditions.place(of: .integer(Int64(books))))
      )
      SELECT book, account, value FROM named JOIN shared USING (value)
      """, conditions
    )
  }

  /// The persons whose accounts are in so many books.
  ///
  /// - Parameters:
  ///   - selection: The histories: their states say at which server an account is.
  ///   - books: In at least so many books.
  /// - Returns: The persons.
  /// - Throws: `fleet` failures.
  func persons(
    _ selection: FleetSelection, inAtLeast books: Int
  ) throws(GatebookError) -> [Person] {
    let servers = try servers(selection)
    var groups = Groups<Home>()
    var firsts: [Name: Home] = [:]
    for (home, value) in names {
      guard let server = servers[home] else { continue }
      let name = Name(value: value, server: server)
      if let first = firsts[name] { groups.join(first, home) } else { firsts[name] = home }
    }
    var persons: [Person] = []
    for homes in groups.all {
      let accounts = ChosenAccounts(
        Dictionary(grouping: homes, by: \.book).mapValues { Set($0.map(\.account)) })
      guard accounts.books.count >= books, let server = servers[homes[0]] else { continue }
      persons.append(Person(server: server, accounts: accounts))
    }
    return persons
  }

  /// At which servers these accounts are.
  private func servers(
    _ selection: FleetSelection
  ) throws(GatebookError) -> [Home: String] {
    let accounts = ChosenAccounts(
      Dictionary(grouping: names.map(\.home), by: \.book).mapValues { Set($0.map(\.account)) })
    var servers: [Home: String] = [:]
    var rest = selection.books.filter { accounts.books.contains($0.id) }[...]
    while !rest.isEmpty {
      let states = try FleetStates.read(
        rest.prefix(FleetStates.pageSize), [.account], of: accounts, connection)
      rest = rest.dropFirst(FleetStates.pageSize)
      for present in states {
        for (id, state) in present.accounts {
          servers[Home(book: present.book.id, account: id)] = state.server
        }
      }
    }
    return servers
  }
}

/// What belongs together, directly or through others.
private struct Groups<Member: Hashable> {
  private var parents: [Member: Member] = [:]

  /// All groups of at least two.
  var all: [[Member]] {
    mutating get {
      var groups: [Member: [Member]] = [:]
      for member in Array(parents.keys) { groups[root(of: member), default: []].append(member) }
      return Array(groups.values)
    }
  }

  mutating func join(_ left: Member, _ right: Member) {
    let (left, right) = (root(of: left), root(of: right))
    parents[left] = left
    parents[right] = left
  }

  private mutating func root(of member: Member) -> Member {
    var root = member
    while let next = parents[root], next != root { root = next }
    // The next search is short.
    if root != member { parents[member] = root }
    return root
  }
}
