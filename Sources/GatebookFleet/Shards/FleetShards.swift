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

  /// Makes a fleet whose parts lie on other servers, evenly.
  ///
  /// It can be repeated after a failure: what is there already stays.
  ///
  /// - Parameter shards: Empty databases of the servers, as roles like the coordinator's.
  /// - Returns: What was made on the coordinator.
  /// - Throws: `fleet` failures; `configuration.invalid` without postgres_fdw.
  public func create(on shards: [FleetAccess]) async throws(GatebookError) -> FleetSchema {
    let schema = try await FleetSchema.create(at: coordinator, parts: 0)
    var names: [String] = []
    for shard in shards { names.append(try await add(shard)) }
    let shared = names
    return try await withTaskExecutorPreference(ThreadExecutor()) { () throws(GatebookError) in
      let connection = try FleetConnection.open(coordinator)
      let placed = Set(try FleetServer.list(connection).flatMap(\.parts))
      for (index, shard) in shards.enumerated() {
        let parts = (0..<FleetSchema.parts).filter { $0 % shards.count == index }
        let missing = parts.filter { !placed.contains($0) }
        try Self.make(
          missing, on: try FleetConnection.open(shard), named: shared[index], connection)
      }
      return schema
    }
  }

  private static func make(
    _ parts: [Int], on shard: FleetConnection, named name: String, _ coordinator: FleetConnection
  ) throws(GatebookError) {
    for part in parts.map({ Int32($0) }) {
      try shard.asOwner { () throws(GatebookError) in
        try shard.run(
          """
          SELECT gatebook.make_part($1) WHERE NOT EXISTS (
            SELECT 1 FROM gatebook.part WHERE number = $1)
          """, .small(part))
      }
      try coordinator.asOwner { () throws(GatebookError) in
        try coordinator.run("SELECT gatebook.make_foreign_part($1, $2)", .small(part), .text(name))
        try coordinator.run(
          "INSERT INTO gatebook.part (number, server) VALUES ($1, $2)", .small(part), .text(name))
      }
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
  /// - Throws: `configuration.invalid` for a server or part that there is not; `fleet` failures: a
  ///   move that fails can be done again.
  public func move(
    _ parts: [Int]?, to name: String?, reaching accesses: [String: FleetAccess],
    progress: @escaping @Sendable (_ part: Int, _ done: Int, _ all: Int, _ what: String) -> Void
  ) async throws(GatebookError) -> [Int] {
    try await withTaskExecutorPreference(ThreadExecutor()) { () throws(GatebookError) in
      let connection = try FleetConnection.open(coordinator)
      let servers = try FleetServer.list(connection)
      guard name == nil || servers.contains(where: { $0.name == name }) else {
        throw Self.unknown("The fleet has no server \(name ?? "").")
      }
      let wanted = parts ?? Self.share(of: name, servers)
      guard wanted.allSatisfy({ (0..<FleetSchema.parts).contains($0) }) else {
        throw Self.unknown("Parts have numbers from 0 to \(FleetSchema.parts - 1).")
      }
      let target = try place(name, servers, accesses, connection)
      var moved: [Int] = []
      for part in wanted {
        guard !Task.isCancelled else { throw Self.cancelled(moved) }
        guard let owner = servers.first(where: { $0.parts.contains(part) }), owner.name != name
        else {
          continue
        }
        let source = try place(owner.name, servers, accesses, connection)
        try PartMove(part: Int32(part), coordinator: connection, source: source, target: target) {
          progress(part, moved.count, wanted.count, $0)
        }.run()
        moved.append(part)
      }
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

  private func place(
    _ name: String?, _ servers: [FleetServer], _ accesses: [String: FleetAccess],
    _ coordinator: FleetConnection
  ) throws(GatebookError) -> PartMove.Place {
    guard let name else { return PartMove.Place(name: nil, connection: coordinator) }
    let place = servers.first { $0.name == name }?.place ?? ""
    guard let access = accesses[place] else {
      throw Self.unknown("Nothing says how to reach the server \(name) at \(place).")
    }
    return PartMove.Place(name: name, connection: try FleetConnection.open(access))
  }

  private static func unknown(_ message: String) -> GatebookError {
    GatebookError(
      .configurationInvalid, message, remedy: "`gatebook fleet shards` lists servers and parts.")
  }

  private static func cancelled(_ moved: [Int]) -> GatebookError {
    GatebookError(
      .cancelled, "Moving parts was cancelled.", kept: "\(moved.count) parts have moved.",
      remedy: "Move again: it continues with the others.")
  }
}
