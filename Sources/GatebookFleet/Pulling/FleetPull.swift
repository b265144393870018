public import Gatebook
internal import GatebookEvents
internal import GatebookStore
internal import GatebookSystem

/// Makes a book file of what a fleet has of a book.
///
/// ```swift
/// let fleet = FleetAccess(try FleetAddress("postgresql://auditor@fleet.example.com/sessions"))
/// let report = try await FleetPull(from: fleet).pull("laptop17", to: "/tmp/laptop17.gatebook")
/// let reader = try BookReader.open(at: report.path)
/// ```
///
/// No key belongs to the file: personal facts stay encrypted, and nobody can write to it. Its
/// events, its root and what readers compute of them are those of the book. Where the fleet does
/// not have all of the book's past, the file begins as the book itself does after its last archive.
public struct FleetPull: Sendable {
  private let access: FleetAccess

  /// Makes a pull.
  ///
  /// - Parameter access: The fleet, as an auditor.
  public init(from access: FleetAccess) {
    self.access = access
  }

  /// Pulls one history of a book.
  ///
  /// It reads one state of the fleet; shippers continue meanwhile. All events are verified before
  /// the file gets its name. Unless that succeeds, nothing is left.
  ///
  /// - Parameters:
  ///   - name: A machine's name, or a book's identity or the beginning of one of at least four
  ///     digits; `nil` for the only book of the fleet.
  ///   - branch: Which history of the book; `nil` for the only one.
  ///   - path: The file, which there must not be yet.
  ///   - progress: Called with how many events are done, and how many there are: first while they
  ///     are read, then while they are verified.
  /// - Returns: What was made.
  /// - Throws: `configuration.invalid` for a name that means no history, or several, and for a file
  ///   that exists. `fleet.gap` for a book whose beginning was not shipped yet.
  ///   `fleet.withheld` for a book whose encrypted facts are not in the fleet.
  ///   `fleet.mismatch` if its events do not agree with their hashes. Other `fleet` and `storage`
  ///   failures; `cancelled`.
  public func pull(
    _ name: String?, branch: Int? = nil, to path: String,
    progress: @escaping @Sendable (Int64, Int64) -> Void = { _, _ in }
  ) async throws(GatebookError) -> PullReport {
    try await withTaskExecutorPreference(ThreadExecutor()) { () async throws(GatebookError) in
      let (pull, history) = try read(name, branch, path, progress)
      let (size, book) = (history.book.size, history.book)
      let root = try await pull.finish(
        BookPull.Head(size: size, root: book.root, checkpoint: book.checkpoint),
        progress: progress)
      return PullReport(
        book: book, path: path, events: history.count,
        first: Position(rawValue: history.past?.first ?? 1), root: root)
    }
  }

  /// Reads all of a history into a file that is not complete yet.
  private func read(
    _ name: String?, _ branch: Int?, _ path: String, _ progress: (Int64, Int64) -> Void
  ) throws(GatebookError) -> (BookPull, PulledHistory) {
    let connection = try FleetConnection.open(access)
    try connection.run("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
    let book = try Self.book(named: name, branch, connection)
    let history = try PulledHistory(of: book, connection)
    let pull = try BookPull(
      to: path, of: book.id, branch: Int64(book.branch), after: history.past, lost: history.lost)
    let all = history.count
    try history.forEach { (event, program) throws(GatebookError) in
      try pull.take(event, by: program)
    } progress: { done in
      progress(min(done, all), all)
    }
    try connection.run("COMMIT")
    return (pull, history)
  }

  private static func book(
    named name: String?, _ branch: Int?, _ connection: FleetConnection
  ) throws(GatebookError) -> FleetBook {
    if let name { return try FleetBook.one(named: name, branch: branch, connection) }
    let all = try FleetBook.list(connection).filter { branch == nil || $0.branch == branch }
    let missing = try connection.reach().missing
    // There may be other books on a server that does not answer.
    guard missing.isEmpty else { throw .missing(missing, kept: "No file was created.") }
    guard all.count != 1 else { return all[0] }
    throw GatebookError(
      .configurationInvalid,
      all.isEmpty ? "The fleet has no book yet." : "The fleet has more than one book.",
      kept: "No file was created.",
      remedy: all.isEmpty
        ? "Ship one with `BookShipment`." : "Name one: `FleetReader.books()` lists all books."
    ).with(\.setting, "book")
  }
}
