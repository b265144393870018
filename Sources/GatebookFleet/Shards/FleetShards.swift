public import Gatebook
internal import GatebookCrypto
internal import GatebookSystem

/// The servers of a fleet that is spread over many.
///
/// The books of a fleet are divided into ``FleetSchema/parts`` parts for good. The coordinator
/// knows where each part lies and reaches it by postgres_fdw. A part can move, also while books are
/// shipped.
public struct FleetShards: Sendable {
  private let coordinator: FleetAccess
  private let random: any RandomSource

  /// Names the coordinator: the server that shippers and auditors connect to.
  ///
  /// - Parameters:
  ///   - coordinator: The fleet, as a role that may create servers and roles: a superuser.
  ///   - random: For the passwords between the servers.
  public init(of coordinator: FleetAccess, random: any RandomSource = SystemRandom()) {
    self.coordinator = coordinator
    self.random = random
  }

  /// The servers and their parts.
  ///
  /// - Returns: The coordinator first if parts lie there, then the others by their names.
  /// - Throws: `fleet` failures.
  public func servers() async throws(GatebookError) -> [FleetServer] {
    try await withTaskExecutorPreference(ThreadExecutor()) { () throws(GatebookError) in
      try FleetServer.list(try FleetConnection.open(coordinator))
    }
  }

  /// Makes a server one of the fleet's; no part moves there yet.
  ///
  /// - Parameter access: An empty database of the server, as a role like the coordinator's.
  /// - Returns: The server's name in the fleet.
  /// - Throws: `fleet` failures; `configuration.invalid` without postgres_fdw.
  public func add(_ access: FleetAccess) async throws(GatebookError) -> String {
    _ = try await FleetSchema.create(at: access, parts: 0)
    return try await withTaskExecutorPreference(ThreadExecutor()) { () throws(GatebookError) in
      try ShardJoin(
        coordinator: try FleetConnection.open(coordinator), shard: try FleetConnection.open(access),
        random: random
      ).run()
    }
  }

  /// Makes a fleet whose parts lie on other servers, evenly; or brings such a fleet up to date.
  ///
  /// It can be repeated after a failure: what is there already stays. For servers of a fleet whose
  /// coordinator was lost, it makes a new coordinator that knows where their parts are.
  ///
  /// - Parameter shards: All servers of the fleet, as roles like the coordinator's; empty databases
  ///   for a new fleet.
  /// - Returns: What was made on the coordinator.
  /// - Throws: `fleet.mismatch` if two servers have the same part; `configuration.invalid` if the
  ///   fleet has a server that was not named, and without postgres_fdw; other `fleet` failures.
  public func create(on shards: [FleetAccess]) async throws(GatebookError) -> FleetSchema {
    let schema = try await FleetSchema.create(
      at: coordinator, parts: 0, naming: shards.map(\.address.place))
    var named: [String: FleetAccess] = [:]
    var order: [String] = []
    for shard in shards {
      let name = try await add(shard)
      if named.updateValue(shard, forKey: name) == nil { order.append(name) }
    }
    let (accesses, names) = (named, order)
    return try await withTaskExecutorPreference(ThreadExecutor()) { () throws(GatebookError) in
      var servers: [PartPlace] = []
      for name in names {
        guard let access = accesses[name] else { continue }
        servers.append(PartPlace(name: name, connection: try FleetConnection.open(access)))
      }
      try PartPlacement(coordinator: try FleetConnection.open(coordinator), servers: servers).run()
      return schema
    }
  }

  /// Moves parts to a server, one after the other, while shippers continue.
  ///
  /// - Parameters:
  ///   - parts: Their numbers; `nil` for as many as make the servers equal.
  ///   - name: The server; `nil` for the coordinator itself.
  ///   - accesses: How to reach each server that takes part, by its place as ``FleetServer/place``
  ///     tells it: as a superuser or the owner of the schema there.
  ///   - progress: Called with the part, how many of them are done, of how many, and what is being
  ///     done.
  /// - Returns: The parts that were moved.
  /// - Throws: `configuration.invalid` for a server or part that there is not, and for a part that
  ///   an interrupted move has opened on another server; `fleet` failures. A move that fails can be
  ///   done again.
  public func move(
    _ parts: [Int]?, to name: String?, reaching accesses: [String: FleetAccess],
    progress: @escaping @Sendable (_ part: Int, _ done: Int, _ all: Int, _ what: String) -> Void
  ) async throws(GatebookError) -> [Int] {
    try await withTaskExecutorPreference(ThreadExecutor()) { () async throws(GatebookError) in
      let connection = try FleetConnection.open(coordinator)
      connection.postgres.patience = FleetConnection.movePatience
      let servers = try FleetServer.list(connection)
      guard name == nil || servers.contains(where: { $0.name == name }) else {
        throw Self.unknown("The fleet has no server \(name ?? "").")
      }
      let wanted = parts ?? Self.share(of: name, servers)
      guard wanted.allSatisfy({ (0..<FleetSchema.parts).contains($0) }) else {
        throw Self.unknown("Parts have numbers from 0 to \(FleetSchema.parts - 1).")
      }
      let moves = PartMoves(
        access: coordinator, coordinator: connection, servers: servers, accesses: accesses)
      let target = try moves.place(name)
      var moved: [Int] = []
      for part in wanted {
        guard !Task.isCancelled else { throw Self.cancelled(moved) }
        let done = moved.count
        let hasMoved = try await moves.move(Int32(part), to: target) { what in
          progress(part, done, wanted.count, what)
        }
        if hasMoved { moved.append(part) }
      }
      try moves.removeLeftovers()
      return moved
    }
  }

  /// The parts that make a server's share equal to the others', taken from those who have most.
  private static func share(of name: String?, _ servers: [FleetServer]) -> [Int] {
    let fair = FleetSchema.parts / max(1, servers.count)
    var rest = servers.filter { $0.name != name }.map(\.parts)
    var missing = fair - (servers.first { $0.name == name }?.parts.count ?? 0)
    var share: [Int] = []
    while missing > 0, let most = rest.indices.max(by: { rest[$0].count < rest[$1].count }),
      let part = rest[most].popLast()
    {
      share.append(part)
      missing -= 1
    }
    return share.sorted()
  }

  private static func unknown(_ message: String) -> GatebookError {
    GatebookError(
      .configurationInvalid, message, remedy: "`FleetShards.servers()` lists servers and parts.")
  }

  private static func cancelled(_ moved: [Int]) -> GatebookError {
    GatebookError(
      .cancelled, "Moving parts was cancelled.", kept: "\(moved.count) parts have moved.",
      remedy: "Move again: it continues with the others.")
  }
}
