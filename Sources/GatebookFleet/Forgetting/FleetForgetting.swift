public import Gatebook
internal import GatebookSystem

/// Drops old events from a fleet: retention by age.
///
/// ```swift
/// let forgetting = FleetForgetting(at: FleetAccess(try FleetAddress(url)))
/// let plan = try await forgetting.plan(before: moment)
/// print(plan.events)
/// let report = try await forgetting.forget(plan)
/// ```
///
/// The fleet keeps the tree over the dropped events, the state after them, the counters and the
/// checkpoints. Shippers continue, and bring nothing back. Each history is dropped in one
/// transaction, so a call that was interrupted is repeated.
public struct FleetForgetting: Sendable {
  private let access: FleetAccess
  /// So long nothing may come from the server while it drops the events of one history.
  private static let patience = Duration.seconds(3600)

  /// Makes one.
  ///
  /// - Parameter access: The fleet, as a member of gatebook_owner; as an auditor for a plan alone.
  public init(at access: FleetAccess) {
    self.access = access
  }

  /// Finds what would be dropped; nothing is changed.
  ///
  /// - Parameters:
  ///   - moment: Events at this moment and later are kept.
  ///   - name: Only books of this name, with all of their histories: a machine's name, or a book's
  ///     identity or the beginning of one of at least four digits; `nil` for all.
  /// - Returns: The plan.
  /// - Throws: `configuration.invalid` for a name that no book has; `fleet` failures; `cancelled`.
  public func plan(
    before moment: Timestamp, book name: String? = nil
  ) async throws(GatebookError) -> ForgettingPlan {
    try await withTaskExecutorPreference(ThreadExecutor()) { () throws(GatebookError) in
      let connection = try open()
      try connection.beginReading()
      try connection.preferKeys()
      let named = try FleetBook.list(connection, named: name)
      if let name, named.isEmpty { throw Self.unknown(name) }
      let search = RunSearch(moment: moment, connection: connection)
      var plan = ForgettingPlan(moment: moment, runs: [])
      var seen: Set<BookID> = []
      // A copy on another machine has another name.
      let known =
        name == nil ? Dictionary(grouping: named.sorted { $0.branch < $1.branch }, by: \.id) : [:]
      for book in named where seen.insert(book.id).inserted {
        let histories =
          if let own = known[book.id] { own } else {
            try FleetBook.histories(of: book.id, connection)
          }
        plan.runs += try search.runs(of: histories)
      }
      return plan
    }
  }

  /// Drops the events of a plan, after it has verified their histories.
  ///
  /// Of each book all events are verified first. A run is dropped only if its events agree with
  /// their hashes, roots and checkpoints; the fleet records what was found. New events that are
  /// old enough are left for the next plan.
  ///
  /// - Parameters:
  ///   - plan: What to drop.
  ///   - progress: Called with the number of events that were read, and of how many.
  /// - Returns: What was dropped, and what was kept.
  /// - Throws: `fleet.refused` for a role that is no member of gatebook_owner; other `fleet`
  ///   failures; `storage.full` without room for the state of a history; `cancelled`. What was
  ///   dropped before stays dropped, and the rest is kept.
  public func forget(
    _ plan: ForgettingPlan, progress: @escaping @Sendable (Int64, Int64) -> Void = { _, _ in }
  ) async throws(GatebookError) -> ForgettingReport {
    try await withTaskExecutorPreference(ThreadExecutor()) { () throws(GatebookError) in
      let connection = try open()
      try Self.requireOwner(connection)
      let folder = try StateFolder()
      let runs = Dictionary(grouping: plan.runs, by: \.book.id)
      // All histories of these books are read once, and then each run up to its end.
      let all = plan.runs.reduce(Int64(0)) { $0 + $1.last.rawValue + $1.book.size }
      var done: Int64 = 0
      var report = ForgettingReport()
      var seen: Set<BookID> = []
      do throws(GatebookError) {
        for run in plan.runs where seen.insert(run.book.id).inserted {
          let forgetting = BookForgetting(
            book: run.book.id, moment: plan.moment, planned: runs[run.book.id] ?? [],
            connection: connection, folder: folder
          ) { events in
            done += events
            progress(min(done, all), all)
          }
          try forgetting.run(&report)
        }
      } catch {
        throw Self.interrupted(error, report)
      }
      return report
    }
  }

  /// Refuses a role that may not forget.
  ///
  /// - Throws: `fleet.refused`; other `fleet` failures.
  package func checkRole() async throws(GatebookError) {
    try await withTaskExecutorPreference(ThreadExecutor()) { () throws(GatebookError) in
      try Self.requireOwner(try open())
    }
  }

  private func open() throws(GatebookError) -> FleetConnection {
    let connection = try FleetConnection.open(access)
    connection.postgres.patience = Self.patience
    return connection
  }

  private static func requireOwner(_ connection: FleetConnection) throws(GatebookError) {
    let row = try connection.run(
      "SELECT pg_has_role('gatebook_owner', 'MEMBER'), session_user::text"
    ).first
    guard row?.bool(0) != true else { return }
    let role = row?.text(1) ?? "This role"
    throw GatebookError(
      .fleetRefused,
      "The role \(role) may not drop events from the fleet at \(connection.address).",
      kept: "The fleet keeps all of its events.",
      remedy: "An administrator allows it: GRANT gatebook_owner TO \(role).")
  }

  private static func interrupted(
    _ error: GatebookError, _ report: ForgettingReport
  ) -> GatebookError {
    let histories = report.forgotten.count
    return error.with(
      \.kept,
      report.forgotten.isEmpty
        ? "The fleet keeps all of its events."
        : "The fleet forgot \(report.events) events of \(histories) "
          + "\(histories == 1 ? "history" : "histories"), and keeps all others."
    ).with(\.remedy, error.code == .cancelled ? "Run it again: it continues." : error.remedy)
  }

  private static func unknown(_ name: String) -> GatebookError {
    GatebookError(
      .configurationInvalid, "The fleet has no book \(name).",
      remedy: "`FleetReader.books()` lists all books."
    ).with(\.setting, "book")
  }
}

extension FleetBook {
  /// All histories of one book, in the order of their numbers.
  static func histories(
    of book: BookID, _ connection: FleetConnection
  ) throws(GatebookError) -> [FleetBook] {
    try list(connection, named: book.description).filter { $0.id == book }
      .sorted { $0.branch < $1.branch }
  }
}
