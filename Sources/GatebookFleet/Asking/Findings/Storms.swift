internal import Gatebook
internal import GatebookEvents

/// ``FleetRule/versionStorm``, and where a book's own rule about storms must look: renewals that
/// follow each other too fast.
struct Storms {
  /// From when on renewals were looked at; `nil` for all that were asked for.
  let since: Timestamp?
  /// The books with many renewals within a minute.
  let suspects: Set<BookID>
  private let selection: FleetSelection
  private let hours: [Hour]
  private let programs: FleetPrograms

  /// So many renewals of an account within an hour are a storm.
  private static let limit = 60
  /// Ten within 60 seconds are five within one of the two minutes that they lie in.
  private static let suspicious = 5

  /// An hour in which a program renewed one account's session too often.
  private struct Hour {
    let book: FleetBook
    let program: Int64
    let renewals: Int64
    let first: Timestamp
    let last: Timestamp
  }

  /// Counts the renewals.
  init(
    _ selection: FleetSelection, _ filter: FleetFindingFilter, _ connection: FleetConnection
  ) throws(GatebookError) {
    self.selection = selection
    since =
      filter.since == nil
      ? try NewestEvents.start(of: [.refreshSucceeded], selection, connection) : nil
    var conditions = FleetConditions()
    conditions.add("kind = ?", .text(EventKind.refreshSucceeded.rawValue))
    conditions.add("account IS NOT NULL")
    conditions.add(since: filter.since ?? since, until: filter.until)
    selection.accounts?.restrict(&conditions)
    selection.restrict(&conditions)
    let rows = try connection.byKeys { () throws(GatebookError) in
      try connection.run(
        """
        SELECT book, branch, program, count(*), min(at), max(at)
        FROM (SELECT book, branch, account, program, at, at / 60000000 AS minute,
            at / 3600000000 AS hour FROM gatebook.event \(conditions.clause)) renewed
        GROUP BY GROUPING SETS (
          (book, branch, account, minute), (book, branch, account, program, hour))
        HAVING count(*) >= CASE WHEN GROUPING(program) = 1 THEN \(Self.suspicious)
          ELSE \(Self.limit) END
        """, conditions)
    }
    var suspects: Set<BookID> = []
    var hours: [Hour] = []
    for number in 0..<rows.count {
      let row = rows[number]
      guard let id: BookID = row.identity(0),
        let book = selection.book(id, Int(row.integer(1)))
      else { continue }
      guard let program = row.optionalInteger(2) else {
        suspects.insert(id)
        continue
      }
      hours.append(
        Hour(
          book: book, program: program, renewals: row.integer(3),
          first: Timestamp(rawValue: row.integer(4)), last: Timestamp(rawValue: row.integer(5))))
    }
    self.suspects = suspects
    self.hours = hours
    var programs = FleetPrograms()
    try programs.learn(Set(hours.map(\.book.id)), connection)
    self.programs = programs
  }

  /// One finding for each version of a program.
  func findings() -> [FleetFinding] {
    var versions: [Version: [Hour]] = [:]
    for hour in hours {
      guard let program = programs.program(hour.program, of: hour.book.id) else { continue }
      versions[Version(name: program.name, version: program.version), default: []].append(hour)
    }
    return versions.map { version, hours in
      let books = Set(hours.map(\.book))
      let machines = Set(hours.map(\.book.id)).count
      let most = hours.map(\.renewals).max() ?? 0
      let first = hours.map(\.first).min() ?? Timestamp(rawValue: 0)
      return FleetFinding(
        .versionStorm, .warning,
        """
        \(version.name) \(version.version) renewed one account's session up to \(most) times within \
        an hour, in \(Self.count(hours.count, "hour")) on \(Self.count(machines, "machine")).
        """,
        in: selection.books.filter(books.contains).map { FleetFinding.Place($0) },
        count: hours.reduce(0) { $0 + $1.renewals },
        first...(hours.map(\.last).max() ?? first))
    }
  }

  private struct Version: Hashable {
    let name: String
    let version: String
  }

  private static func count(_ number: Int, _ what: String) -> String {
    "\(number) \(what)\(number == 1 ? "" : "s")"
  }
}
