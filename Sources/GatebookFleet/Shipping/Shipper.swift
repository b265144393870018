internal import Gatebook
internal import GatebookEvents
internal import GatebookStore
internal import GatebookSystem

/// Ships one book to a fleet, from the last event on that the fleet has.
///
/// ```
/// ask the fleet -> find the branch, or begin one -> batch, batch, batch -> states, checkpoint
/// ```
///
/// Each batch is one transaction: its events arrive in the staging table by `COPY`, and one
/// function call moves them into the book's part, or refuses them. Nothing is remembered on this
/// side, so a shipper may be killed anywhere, and two may ship the same book.
///
/// It blocks the thread while it waits for the server.
final class Shipper {
  /// As many events are in one transaction at most.
  static let batchEvents = 4096
  /// As many bytes of events are in one batch, and one more event.
  static let batchBytes = 2 << 20

  /// After so many bytes the staging table is emptied, because deleted rows take room there.
  private static let tidyBytes = 32 << 20
  /// How often a head is kept for good while events keep coming.
  private static let keptHeads = Duration.seconds(60)

  let reader: BookReader
  let access: FleetAccess
  let options: ShipmentOptions
  let progress: (Int64, Int64) -> Void
  private var connections: [FleetConnection] = []
  /// The server of the book's part, if events go straight there.
  private var target: FleetAccess?
  private var route: Route?
  private var keptHead: Int64?
  /// Whether the server begins with a batch before the one ahead of it is counted: for one shipper
  /// of a book at a time.
  private var prepares = false
  /// Whether the fleet has the key of the pseudonyms, where events go straight to a server of it.
  private var isKeyKnown = false
  private let names = ShippedNames()
  private var present: PresentShipment

  /// Where the next event goes.
  private struct Route {
    let branch: Int32
    /// How many events the fleet has.
    var size: Int64
    /// The tree over them; `nil` among events that a recovery kept.
    var tree: ShippedTree?
    /// What the fleet has of the past belongs to the state after this event.
    var floor: Int64
    /// The last event whose names have pseudonyms in the fleet.
    var named: Int64 = 0
  }

  /// The name of the machine, if it is sent; the fleet's text cannot hold U+0000.
  private var machine: String? {
    options.sendsPersonal ? options.machine?.replacing("\u{0}", with: "") : nil
  }

  /// Makes a shipper.
  ///
  /// - Parameters:
  ///   - reader: The book; with its key, checkpoints are signed.
  ///   - access: The fleet.
  ///   - options: What is sent.
  ///   - progress: Called with the number of events that the fleet has, and that the book has.
  init(
    _ reader: BookReader, to access: FleetAccess, _ options: ShipmentOptions,
    progress: @escaping (Int64, Int64) -> Void
  ) {
    self.reader = reader
    self.access = access
    self.options = options
    self.progress = progress
    present = PresentShipment(reader)
  }

  /// Ships what the book has and the fleet has not.
  ///
  /// After a failure the same shipper can be used again: it asks the fleet what it has.
  ///
  /// - Returns: What was done.
  /// - Throws: `fleet` and `storage` failures; `cancelled`.
  func ship() throws(GatebookError) -> ShipReport {
    do throws(GatebookError) {
      return try shipOnce()
    } catch {
      connections = []
      target = nil
      route = nil
      present.forget()
      throw error
    }
  }

  private func shipOnce() throws(GatebookError) -> ShipReport {
    let fleet = try connection(0)
    var extent = try reader.extent()
    var report: ShipReport
    if let route, route.size >= extent.first - 1 {
      report = self.report(route)
    } else {
      report = try findRoute(extent, fleet)
    }
    guard var route else { return report }
    defer { self.route = route }
    let before = route.size
    let isLong = extent.size - route.size > Self.batchEvents
    prepares = isLong ? try claim(true, fleet) : false
    while try !shipBatches(&route, &extent) {
      if prepares { try claim(false, fleet) }
      prepares = false
      present.forget()
      extent = try reader.extent()
      let forkedAfter = report.forkedAfter
      report = try findRoute(extent, fleet)
      report.forkedAfter = report.forkedAfter ?? forkedAfter
      guard let found = self.route else { return report }
      route = found
    }
    if prepares { try claim(false, fleet) }
    if let key = options.pseudonymKey, reader.hasKey {
      let names = PseudonymShipment(reader, branch: route.branch, key)
      if target != nil, route.named < route.size, !isKeyKnown {
        // Of many servers, the coordinator says which key the fleet has.
        try names.put([], upTo: 0, try FleetConnection.open(access))
        isKeyKnown = true
      }
      while route.named < route.size {
        try checkCancellation(route)
        route.named = try names.ship(after: route.named, upTo: route.size, fleet)
      }
    }
    report.events = max(0, route.size - before)
    report.size = route.size
    report.isSigned = reader.hasKey
    return report
  }

  /// Claims the book for batches that are prepared, or ends that.
  ///
  /// - Returns: Whether the fleet has done so.
  @discardableResult
  private func claim(_ isWanted: Bool, _ fleet: FleetConnection) throws(GatebookError) -> Bool {
    let rows = try fleet.run(
      "SELECT gatebook.\(isWanted ? "claim" : "unclaim")($1)", .identity(reader.id))
    return rows.first?.bool(0) == true
  }

  private func connection(_ number: Int) throws(GatebookError) -> FleetConnection {
    while connections.count <= number {
      let opened = try FleetConnection.open(target ?? access)
      connections.append(opened)
      guard options.isDirect, target == nil else { continue }
      let rows = try opened.run("SELECT gatebook.place($1)", .identity(reader.id))
      guard let place = rows.first?.optionalText(0) else { continue }
      target = try access.moved(to: place)
      connections = []
    }
    return connections[number]
  }

  private func report(_ route: Route) -> ShipReport { report(route.branch, size: route.size) }

  private func report(_ branch: Int32, size: Int64) -> ShipReport {
    ShipReport(
      book: reader.id, branch: Int(branch), events: 0, size: size, isSigned: false,
      forkedAfter: nil)
  }

  private func checkCancellation(_ route: Route) throws(GatebookError) {
    guard Task.isCancelled else { return }
    throw GatebookError(
      .cancelled, "The shipment was cancelled.",
      kept: "The fleet has the events up to position \(route.size).",
      remedy: "Ship again: it continues there.")
  }

  // MARK: The route

  /// Finds the branch that the book belongs to, or begins one.
  private func findRoute(
    _ extent: LogExtent, _ fleet: FleetConnection
  ) throws(GatebookError) -> ShipReport {
    let standing = try Standing(of: reader.id, fleet)
    var forkedAfter: Int64?
    var found: Route?
    switch try HistoryMatch.find(reader, extent, standing, fleet) {
    case nil:
      // What the book continues comes first, as far as it is at hand.
      let first = try reader.firstAtHand().rawValue
      guard first == extent.first else { throw ShipRefusal.gap(first...extent.first - 1) }
      found = try begin(nil, base: 0, standing, extent, fleet)
    case .continues(let branch):
      found = Route(
        branch: branch.number, size: branch.size,
        tree: try ShippedTree(reader, ofFirst: branch.size),
        floor: branch.floor, named: branch.named)
    case .forks(let branch, let base):
      forkedAfter = base
      found = try begin(branch, base: base, standing, extent, fleet)
    case .ahead(let branch):
      // An archive grows no more: nothing is wrong with one that was shipped before.
      if try reader.isArchive() { return report(branch.number, size: branch.size) }
      throw ShipRefusal.ahead(branch, extent)
    case .gap(_, let missing):
      throw ShipRefusal.gap(missing)
    case .precedes(let branch):
      throw ShipRefusal.precedes(branch, extent)
    case .differs(_, let position):
      throw ShipRefusal.differs(position)
    }
    // Each time another shipper has begun a history, so this comes to an end.
    guard let found else { return try findRoute(extent, fleet) }
    route = found
    var report = report(found)
    report.forkedAfter = forkedAfter.map(Position.init(rawValue:))
    return report
  }

  /// Begins a history; `nil` if another shipper of the book was faster.
  private func begin(
    _ parent: FleetBranch?, base: Int64, _ standing: Standing, _ extent: LogExtent,
    _ fleet: FleetConnection
  ) throws(GatebookError) -> Route? {
    let start = max(base, extent.first - 1)
    let rows = try fleet.run(
      "SELECT gatebook.begin_branch($1, $2, $3, $4, $5, $6, $7)", .identity(reader.id),
      .small(parent?.number), .integer(base), .integer(start + 1),
      .bytes(try reader.root(ofFirst: start)),
      .text(machine), .small(Int32(standing.branches.count)))
    guard let branch = rows.first?.optionalInteger(0) else {
      throw Standing.foreign(reader.id, fleet.address)
    }
    guard branch != -2 else { throw ShipRefusal.moving(fleet.address) }
    guard branch >= 0 else { return nil }
    return Route(
      branch: Int32(branch), size: start, tree: try ShippedTree(reader, ofFirst: start),
      floor: 0)
  }

  /// The state that the book continues from.
  ///
  /// - Returns: `nil` if the book continues from another one by now.
  private func pastRows(_ extent: LogExtent) throws(GatebookError) -> [ShippedRow]? {
    try reader.inSnapshot { () throws(GatebookError) in
      guard try reader.extent().floor == extent.floor else { return nil }
      return try reader.pastRows(hasPersonal: options.sendsPersonal)
    }
  }

  /// Sends the state that the book continues from, in the transaction of a batch.
  private func putPast(
    _ rows: [ShippedRow], _ floor: Int64, _ branch: Int32, _ fleet: FleetConnection
  ) throws(GatebookError) {
    try fleet.run(
      "SELECT gatebook.put_past($1, $2, $3, $4, $5, $6)", .identity(reader.id),
      .small(branch), .integer(floor), .texts(rows.map(\.part)),
      .bytesArray(rows.map(\.name)), .bytesArray(rows.map(\.content)))
  }

  // MARK: Batches

  /// Sends all batches; the head goes also without a new event, so that the fleet hears of the
  /// book.
  ///
  /// - Returns: `false` if another shipper came in between: the route has to be found again.
  private func shipBatches(
    _ route: inout Route, _ extent: inout LogExtent
  ) throws(GatebookError) -> Bool {
    var waiting: ShipLane?
    var (number, bytes) = (0, 0)
    // The programs of the batches that are there.
    var arrived: Set<Program> = []
    repeat {
      try checkCancellation(route)
      var next = route
      let batch = try nextBatch(&next, extent)
      guard batch.count == extent.events(after: route.size, upTo: next.size) else {
        if let waiting, try !waiting.finish() { return false }
        waiting = nil
        extent = try extentAfterArchiving(route, extent)
        continue
      }
      // In the same transaction as the event that names it, so that nobody sees one alone.
      let past = extent.floor > route.floor ? try pastRows(extent) : []
      guard let past else {
        if let waiting, try !waiting.finish() { return false }
        waiting = nil
        extent = try extentAfterArchiving(route, extent)
        continue
      }
      next.floor = max(route.floor, extent.floor)
      let isLast = next.size == extent.size
      let head = try head(after: batch, next, extent, isLast: isLast)
      let rows = isLast ? try present.rows(at: next.size) : nil
      let fleet = try connection(number % 2)
      // The number of a new program is known when its batch is there.
      if !arrived.isSuperset(of: batch.programs), let ahead = waiting {
        guard try ahead.finish() else { return false }
        arrived.formUnion(ahead.programs)
        waiting = nil
      }
      let lane = try ShipLane(
        batch, after: route.size, head, of: reader.id, branch: route.branch, prepares: prepares,
        over: fleet)
      if let waiting {
        guard try waiting.finish() else {
          try lane.abandon()
          return false
        }
        arrived.formUnion(waiting.programs)
      }
      bytes += batch.bytes.count
      (number, waiting) = (number + 1, lane)
      if isLast || !past.isEmpty || bytes > Self.tidyBytes {
        let floor = next.floor
        let wasTaken = try lane.finish { (former) throws(GatebookError) in
          if !past.isEmpty { try putPast(past, floor, route.branch, fleet) }
          // Another shipper has put states of its own.
          if former != route.size { present.forget() }
          if let rows { try present.put(rows, at: next.size, branch: route.branch, machine, fleet) }
        }
        guard wasTaken else { return false }
        waiting = nil
        if bytes > Self.tidyBytes { try fleet.run("SELECT gatebook.tidy()") }
        bytes = 0
      }
      route = next
      progress(route.size, extent.size)
    } while route.size < extent.size
    if let waiting { return try waiting.finish() }
    return true
  }

  /// What the book has after somebody archived events that were about to be shipped.
  private func extentAfterArchiving(
    _ route: Route, _ former: LogExtent
  ) throws(GatebookError) -> LogExtent {
    let extent = try reader.extent()
    guard extent.first > former.first else {
      throw ShipRefusal.incomplete(after: route.size)
    }
    guard route.size >= extent.first - 1 else {
      throw ShipRefusal.gap(route.size + 1...extent.first - 1)
    }
    return extent
  }

  /// The next events of the book; the route continues to the last one of them.
  private func nextBatch(
    _ route: inout Route, _ extent: LogExtent
  ) throws(GatebookError) -> EventBatch {
    var batch = EventBatch(after: route.size, sendsPersonal: options.sendsPersonal)
    var tree = route.tree
    try reader.scanForShipping(after: route.size, upTo: extent.size, names) {
      (event) throws(GatebookError) in
      batch.append(event, names.programs)
      if tree?.size == event.position - 1 { tree?.append(event.leaf) } else { tree = nil }
      return batch.count < Self.batchEvents && batch.bytes.count < Self.batchBytes
    }
    let isFull = batch.count >= Self.batchEvents || batch.bytes.count >= Self.batchBytes
    // The last positions may be lost ones.
    route.size = isFull ? batch.last : extent.size
    if tree?.size != route.size { tree = try ShippedTree(reader, ofFirst: route.size) }
    route.tree = tree
    return batch
  }

  private func head(
    after batch: EventBatch, _ route: Route, _ extent: LogExtent, isLast: Bool
  ) throws(GatebookError) -> ShipLane.Head {
    let now = SystemTime.monotonic
    let isKept = isLast && now - (keptHead ?? .min / 2) > Self.keptHeads.microseconds
    if isKept { keptHead = now }
    return ShipLane.Head(
      size: route.size, root: route.tree?.root,
      checkpoint: isLast && reader.hasKey ? try reader.checkpoint(ofFirst: route.size) : nil,
      isKept: isKept,
      lost: extent.lost.filter { $0.lowerBound <= route.size })
  }
}
