internal import Gatebook
internal import GatebookFleet

/// `gatebook fleet init`.
struct FleetInitCommand: Command {
  private static let url = Positional(
    "URL", "the database: postgresql://USER@HOST/DATABASE, as a role that may create roles")

  private static let shards = CommandOption.value(
    "--shards", "URL,URL", "databases of all servers that the parts of the fleet lie on")

  static let help = Help(
    "fleet init", "Make a PostgreSQL database a fleet, or bring one up to date.", in: .fleet,
    details: [
      "A fleet holds the events of many books. The database must exist, in UTF-8, on PostgreSQL 15 or "
        + "newer. The command makes the schemas gatebook and gatebook_part and three groups of roles: "
        + "gatebook_shipper sends events and may do nothing else, gatebook_auditor reads, gatebook_owner "
        + "owns the schema. All of it is one transaction.",
      "Give each machine a role of its own: CREATE ROLE laptop17 LOGIN PASSWORD '...' IN ROLE "
        + "gatebook_shipper. The first role that ships a book owns it.",
      "With --shards the books lie on those servers, evenly, and the database of URL is the coordinator: "
        + "shippers and auditors connect to it. That needs superusers, because it uses postgres_fdw. The "
        + "file of --ca-file must also be on the coordinator. Servers can be added later with `gatebook "
        + "fleet shards add`.",
      "To bring such a fleet up to date, name all of its servers in --shards. If the coordinator was lost, "
        + "do the same with an empty database: it becomes the new coordinator, and finds the books where "
        + "they are.",
      FleetArguments.passwords,
    ],
    positionals: [url], options: [shards] + FleetArguments.trust + [Answers.standardInputOption],
    examples: ["gatebook fleet init postgresql://postgres@fleet.example.com/sessions"])

  func run(_ call: Call) async throws -> ExitCode {
    let access = try FleetArguments.access(call, url: try call.arguments.required(Self.url))
    let shards = try (call.arguments[Self.shards] ?? "").split(separator: ",").map {
      try FleetArguments.access(call, url: String($0))
    }
    let schema =
      shards.isEmpty
      ? try await FleetSchema.create(at: access)
      : try await FleetShards(of: access).create(on: shards)
    if call.output.isJSON {
      call.output.json(
        .present([
          "former": .integer(Int64(schema.former)), "version": .integer(Int64(schema.version)),
          "roles": .list(schema.madeRoles.map { .text($0) }),
        ]))
      return .done
    }
    let place = Printable.text(access.address.description)
    call.output.line(
      schema.former == 0
        ? "\(place) is a fleet now, with schema version \(schema.version)."
        : schema.former == schema.version
          ? "\(place) is up to date: schema version \(schema.version)."
          : "\(place): the schema was version \(schema.former) and is version \(schema.version).")
    if !schema.madeRoles.isEmpty {
      call.output.message("Made the roles \(schema.madeRoles.joined(separator: ", ")).")
    }
    return .done
  }
}
