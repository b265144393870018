public import Gatebook
internal import GatebookSystem

/// Asks a fleet about its books.
///
/// ```swift
/// let reader = FleetReader(FleetAccess(try FleetAddress(url)))
/// for book in try await reader.books() { print(book.machine ?? "\(book.id)", book.heard) }
/// ```
///
/// The role must be an auditor. Each question sees one state of the fleet and changes nothing.
/// Personal facts are reported as `sealed`: a fleet has no keys.
///
/// In a fleet of many servers, one that is down makes no difference to the books on the others. A
/// question about one of these is answered. A question about all books is answered without the
/// books of that server, if somebody takes note of it, and else fails with `fleet.unreachable`.
///
/// ## Topics
///
/// ### What there is
///
/// - ``books(_:)``
/// - ``accounts(_:at:_:)``
/// - ``sessions(_:at:_:)``
/// - ``sessions(_:asOf:)``
/// - ``log(_:_:_:)``
/// - ``reach(_:)``
///
/// ### Figures
///
/// - ``statistics(_:on:at:)``
/// - ``tally(_:on:)``
/// - ``tallyByDay(_:on:)``
/// - ``tallyByBook(_:on:)``
/// - ``tallyByAccount(_:on:)``
/// - ``programs(_:on:)``
///
/// ### What needs attention
///
/// - ``findings(_:_:at:)``
public struct FleetReader: Sendable {
  private let access: FleetAccess
  private let missing: MissingServerReader?
  private let idle = IdleConnection()

  /// Makes a reader, which connects when it is asked and keeps a connection for the next question.
  ///
  /// - Parameters:
  ///   - access: The fleet.
  ///   - missing: Called before an answer that lacks the books of servers that do not answer. It is
  ///     also called for a book that was found by its name, because another one of that name may be
  ///     there. If it is `nil`, a question about all books fails.
  public init(_ access: FleetAccess, missing: MissingServerReader? = nil) {
    self.access = access
    self.missing = missing
  }

  /// Asks in one transaction, on a thread of its own.
  ///
  /// - Parameters:
  ///   - scope: Which books and accounts.
  ///   - isListed: Whether the books are listed also if these are all.
  ///   - body: Asks.
  /// - Returns: The answer.
  /// - Throws: `configuration.invalid` for a book or an account that there is not; `fleet`
  ///   failures; `cancelled`; what `body` throws.
  func ask<Answer: Sendable>(
    _ scope: FleetScope, isListed: Bool = true,
    _ body:
      @escaping @Sendable (FleetSelection, FleetConnection) async throws(GatebookError) -> Answer
  ) async throws(GatebookError) -> Answer {
    let (access, missing, idle) = (access, missing, idle)
    return try await withTaskExecutorPreference(ThreadExecutor()) {
      () async throws(GatebookError) in
      let connection: FleetConnection
      if let kept = idle.take()?.readingAgain() {
        connection = kept
      } else {
        connection = try .openReading(access)
      }
      let selection =
        isListed
        ? try FleetSelection(scope, connection) : try FleetSelection(unlisted: scope, connection)
      if !selection.missing.isEmpty {
        if let missing {
          missing(selection.missing)
        } else if scope.book == nil {
          throw .missing(selection.missing, kept: "Nothing was answered.")
        }
      }
      let answer = try await body(selection, connection)
      try connection.endReading()
      idle.keep(connection)
      return answer
    }
  }

  /// The histories of books, in the order of their machines' names.
  ///
  /// - Parameter scope: Which books.
  /// - Returns: The histories.
  /// - Throws: `configuration.invalid` for a book that there is not; `fleet` failures.
  public func books(_ scope: FleetScope = FleetScope()) async throws(GatebookError) -> [FleetBook] {
    try await ask(scope) { (selection, _) async throws(GatebookError) in selection.books }
  }
}

extension FleetConnection {
  /// Opens a connection, and begins to read.
  fileprivate static func openReading(
    _ access: FleetAccess
  ) throws(GatebookError) -> FleetConnection {
    let connection = try open(access)
    try connection.beginReading()
    return connection
  }

  /// Begins to read on a connection that was idle.
  ///
  /// - Returns: The connection; `nil` if it broke meanwhile.
  fileprivate func readingAgain() -> FleetConnection? {
    do throws(GatebookError) {
      try beginReading()
      return self
    } catch {
      return nil
    }
  }

  /// Ends the transaction; what it found out about servers does not count for the next one.
  fileprivate func endReading() throws(GatebookError) {
    try run("COMMIT")
    forgetReach()
  }
}
