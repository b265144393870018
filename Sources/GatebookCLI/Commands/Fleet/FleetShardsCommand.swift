internal import Gatebook
internal import GatebookFleet

/// `gatebook fleet shards`.
struct FleetShardsCommand: Command {
  static let help = Help(
    "fleet shards", "List the servers of a fleet and the parts that lie on them.", in: .fleet,
    details: [
      "The books of a fleet are divided into 64 parts for good. Parts lie on the coordinator, which "
        + "is the server of --fleet, or on other servers."
    ],
    options: [FleetArguments.fleet] + FleetArguments.trust + [Answers.standardInputOption],
    examples: ["gatebook fleet shards --fleet postgresql://postgres@fleet.example.com/sessions"])

  func run(_ call: Call) async throws -> ExitCode {
    let access = try FleetArguments.access(call, FleetArguments.fleet)
    let servers = try await FleetShards(of: access).servers()
    guard
      !call.output.tells(
        programs: servers.map { server in
          .present([
            "server": server.name.map { .text($0) }, "place": server.place.map { .text($0) },
            "parts": .list(server.parts.map { .integer(Int64($0)) }),
            "moving": .list(server.moving.map { .integer(Int64($0)) }),
          ])
        })
    else { return .done }
    var table = TextTable(["SERVER", "PLACE", "PARTS"])
    for server in servers {
      table.add([
        TextTable.Cell(server.name ?? "coordinator"),
        TextTable.Cell(server.place ?? access.address.description),
        TextTable.Cell(
          PartNumbers.text(server.parts)
            + (server.moving.isEmpty ? "" : ", moving: \(PartNumbers.text(server.moving))")),
      ])
    }
    call.output.table(table)
    return .done
  }
}

/// `gatebook fleet shards add`.
struct FleetShardsAddCommand: Command {
  private static let url = Positional(
    "URL", "an empty database on the server: postgresql://USER@HOST/DATABASE, as a superuser")

  static let help = Help(
    "fleet shards add", "Make a PostgreSQL server one of a fleet's.", in: .fleet,
    details: [
      "The coordinator reaches the server by postgres_fdw, with two roles that are made for it. Their "
        + "passwords are random. Superusers of the coordinator can read both, and members of "
        + "gatebook_owner that of the role that writes. No part moves there yet: `gatebook fleet shards "
        + "move --server NAME` takes parts there.",
      "The coordinator's server reads the file of --ca-file too, so it must be there under the same "
        + "path. For a server that is known, the command changes that path.",
    ],
    positionals: [url],
    options: [FleetArguments.fleet] + FleetArguments.trust + [Answers.standardInputOption],
    examples: [
      "gatebook fleet shards add postgresql://postgres@db4.example.com/sessions --fleet "
        + "postgresql://postgres@fleet.example.com/sessions"
    ])

  func run(_ call: Call) async throws -> ExitCode {
    let access = try FleetArguments.access(call, FleetArguments.fleet)
    let shard = try FleetArguments.access(call, url: try call.arguments.required(Self.url))
    let name = try await FleetShards(of: access).add(shard)
    guard !call.output.tells(programs: [.present(["server": .text(name)])]) else { return .done }
    call.output.line(
      Printable.text(
        "\(shard.address) is the server \(name) of the fleet now. It has no parts yet."))
    return .done
  }
}

/// `gatebook fleet shards move`.
struct FleetShardsMoveCommand: Command {
  private static let server = CommandOption.value(
    "--server", "NAME", "where to: a name that `gatebook fleet shards` shows, or coordinator")
  private static let part = CommandOption.values(
    "--part", "N", "a part to move, from 0 to 63 (default: as many as make the servers equal)")
  private static let user = CommandOption.value(
    "--as", "USER", "the role on the other servers (default: that of --fleet)")

  static let help = Help(
    "fleet shards move", "Move parts of a fleet to another server.", in: .fleet,
    details: [
      "Shippers continue meanwhile. While the last rows of a part are copied, the shippers of its books "
        + "wait. A move that was interrupted is continued by the same command. The command also removes "
        + "copies that interrupted moves have left on servers."
    ],
    options: [server, part, user, FleetArguments.fleet] + FleetArguments.trust
      + [Answers.standardInputOption],
    examples: [
      "gatebook fleet shards move --server shard4",
      "gatebook fleet shards move --server shard4 --part 17",
    ])

  func run(_ call: Call) async throws -> ExitCode {
    let access = try FleetArguments.access(call, FleetArguments.fleet)
    let name = try call.arguments.required(Self.server)
    let parts = try call.arguments.all(Self.part).map { text throws(UsageError) in
      guard let number = Int(text), (0..<FleetSchema.parts).contains(number) else {
        throw UsageError(
          "`--part \(Printable.text(text))` is not a part.",
          remedy: "Parts have numbers from 0 to 63.")
      }
      return number
    }
    let shards = FleetShards(of: access)
    var accesses: [String: FleetAccess] = [:]
    let user = call.arguments[Self.user] ?? access.address.user
    for place in try await shards.servers().compactMap(\.place) {
      accesses[place] = try FleetArguments.access(
        call, url: "postgresql://\(user.map { "\($0)@" } ?? "")\(place)")
    }
    let moved = try await shards.move(
      parts.isEmpty ? nil : parts, to: name == "coordinator" ? nil : name, reaching: accesses
    ) { part, done, all, what in
      Task { @MainActor in
        call.progress.show("part \(part) (\(done + 1) of \(all)): \(what)")
      }
    }
    call.progress.finish()
    let result = JSON.present([
      "server": .text(name), "moved": .list(moved.map { .integer(Int64($0)) }),
    ])
    guard !call.output.tells(programs: [result]) else { return .done }
    call.output.line(
      moved.isEmpty
        ? "No part had to move." : "Moved to \(Printable.text(name)): \(PartNumbers.text(moved)).")
    return .done
  }
}

/// Numbers of parts as people read them: `0-20, 22`.
enum PartNumbers {
  static func text(_ numbers: [Int]) -> String {
    guard !numbers.isEmpty else { return "none" }
    return RangeSet(numbers.map { $0..<$0 + 1 }).ranges.map { range in
      range.count == 1 ? "\(range.lowerBound)" : "\(range.lowerBound)-\(range.upperBound - 1)"
    }.joined(separator: ", ")
  }
}
