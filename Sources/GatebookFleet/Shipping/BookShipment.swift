public import Gatebook
internal import GatebookEvents
internal import GatebookStore
internal import GatebookSystem

/// Sends the events of a book to a fleet, once or as they come.
///
/// ```swift
/// let shipment = BookShipment(of: path, key: nil, to: FleetAccess(try FleetAddress(url)))
/// let report = try await shipment.ship()
/// ```
///
/// It continues after the last event that the fleet has. It is safe to repeat it, to end it
/// anywhere and to run it twice at once. Nothing is written to the book. If the fleet needs events
/// that are in an archive of the book, the archive is shipped first. That takes the book's key,
/// which tells where the archive is.
public struct BookShipment: Sendable {
  private let open: @Sendable () async throws(GatebookError) -> BookReader
  private let access: FleetAccess
  private let options: ShipmentOptions
  private let clock: any BookClock

  /// Makes a shipment of a book's file.
  ///
  /// - Parameters:
  ///   - path: The book, or an archive of it; it may be read-only.
  ///   - key: Signs checkpoints; `nil` ships unsigned heads.
  ///   - access: The fleet.
  ///   - options: What is sent.
  ///   - clock: Waits between attempts.
  public init(
    of path: String, key: (any KeySource)?, to access: FleetAccess,
    options: ShipmentOptions = ShipmentOptions(), clock: any BookClock = SystemClock()
  ) {
    self.init(to: access, options, clock) { () async throws(GatebookError) in
      try BookReader.open(at: path, key: key)
    }
  }

  /// Makes a shipment of a book that is opened by a closure.
  package init(
    to access: FleetAccess, _ options: ShipmentOptions, _ clock: any BookClock,
    opening open: @escaping @Sendable () async throws(GatebookError) -> BookReader
  ) {
    self.open = open
    self.access = access
    self.options = options
    self.clock = clock
  }

  /// Ships what the fleet does not have yet.
  ///
  /// - Parameters:
  ///   - patience: How long to try again if the fleet is out of reach or full; nothing is lost
  ///     meanwhile.
  ///   - news: Called with how far it has come, and before each new attempt.
  /// - Returns: What was done.
  /// - Throws: `fleet.unreachable` and `fleet.full` when the patience is over; `fleet.gap` for an
  ///   archive that is not at hand; other `fleet` failures; `storage` and `key` failures of the
  ///   book; `cancelled`.
  @discardableResult
  public func ship(
    patience: Duration = .zero, news: @escaping @Sendable (ShipmentNews) -> Void = { _ in }
  ) async throws(GatebookError) -> ShipReport {
    try await withTaskExecutorPreference(ThreadExecutor()) { () async throws(GatebookError) in
      let shipper = Shipper(try await open(), to: access, options) {
        news(.progress(shipped: $0, of: $1))
      }
      var backOff = BackOff(patience: patience, since: clock.now())
      return try await shipper.ship(&backOff, clock, news)
    }
  }

  /// Ships the events as they come, until the task is cancelled.
  ///
  /// If the fleet is out of reach or full it waits and tries again. Events are in the fleet within
  /// a second, or within the interval.
  ///
  /// - Parameters:
  ///   - interval: How often to ship; `nil` ships each event at once.
  ///   - news: Called with what was done, how far it has come, and before each new attempt.
  /// - Throws: `cancelled`; failures that do not pass: `fleet.refused`, `fleet.untrusted`,
  ///   `fleet.newer`, `fleet.gap` and others.
  public func keepShipping(
    every interval: Duration? = nil, news: @escaping @Sendable (ShipmentNews) -> Void
  ) async throws(GatebookError) {
    try await withTaskExecutorPreference(ThreadExecutor()) { () async throws(GatebookError) in
      let reader = try await open()
      let shipper = Shipper(reader, to: access, options) { news(.progress(shipped: $0, of: $1)) }
      var watch = CommitWatch()
      while true {
        var backOff = BackOff(patience: nil, since: clock.now())
        let report = try await shipper.ship(&backOff, clock, news)
        news(.shipped(report))
        let due = clock.now().boot + (interval ?? Self.heartbeat)
        while clock.now().boot < due {
          if interval == nil, try watch.look(reader) { break }
          let rest = due - clock.now().boot
          await clock.pause(for: min(rest, interval == nil ? CommitWatch.interval : rest))
          guard !Task.isCancelled else { throw Self.cancelled }
        }
      }
    }
  }

  /// So often the fleet hears of a book that has no new events: silence then means something.
  private static let heartbeat = Duration.seconds(60)

  private static let cancelled = GatebookError(
    .cancelled, "Shipping was cancelled.", kept: "The fleet keeps what it confirmed.",
    remedy: "Ship again: it continues there.")
}

/// What a shipment tells while it runs.
public enum ShipmentNews: Sendable {
  /// So many events of the book are in the fleet.
  case progress(shipped: Int64, of: Int64)
  /// The archive at a path is shipped, because the fleet needs its events from a position on before
  /// those of the book.
  case archive(String, from: Position)
  /// A failure that can pass: it is tried again after a while.
  case waiting(GatebookError, Duration)
  /// One shipment of a series is done.
  case shipped(ShipReport)
}

/// How long to wait before the next attempt: twice as long each time, a minute at most.
struct BackOff {
  private let end: Duration?
  private var next = Duration.seconds(1)

  /// Begins.
  ///
  /// - Parameters:
  ///   - patience: How long in all; `nil` for ever.
  ///   - start: The time now.
  init(patience: Duration?, since start: Moment) {
    end = patience.map { start.boot + $0 }
  }

  /// The next pause; `nil` when the patience is over.
  mutating func pause(at now: Moment) -> Duration? {
    defer { next = min(next * 2, .seconds(60)) }
    guard let end else { return next }
    return now.boot < end ? min(next, end - now.boot) : nil
  }
}

extension Shipper {
  /// Ships, and tries again after failures that can pass.
  func ship(
    _ backOff: inout BackOff, _ clock: any BookClock, _ news: @Sendable (ShipmentNews) -> Void
  ) async throws(GatebookError) -> ShipReport {
    while true {
      do throws(GatebookError) {
        return try shipWithArchives(news)
      } catch {
        guard error.canPass, let pause = backOff.pause(at: clock.now()) else { throw error }
        news(.waiting(error, pause))
        await clock.sleep(for: pause)
        guard !Task.isCancelled else { throw error }
      }
    }
  }
}

extension GatebookError {
  /// Whether the same call can succeed later, with nothing changed by anybody here.
  fileprivate var canPass: Bool {
    code == .fleetUnreachable || code == .fleetFull || code == .storageBusy
  }
}
