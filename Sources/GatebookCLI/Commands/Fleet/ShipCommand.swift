internal import Gatebook
internal import GatebookFleet
internal import GatebookSystem

/// `gatebook ship`.
struct ShipCommand: Command {
  private static let every = CommandOption.value(
    "--every", "T", "ship again and again after so long, as in 30s or 5m")
  private static let follow = CommandOption.flag(
    "--follow", "ship each event as it comes", short: "-f")
  private static let withoutPersonal = CommandOption.flag(
    "--without-personal", "keep encrypted facts and the machine's name at home")
  private static let machine = CommandOption.value(
    "--name", "NAME", "the name of this machine in the fleet (default: the host name)")

  private static let direct = CommandOption.flag(
    "--direct", "send events straight to the server of the fleet that the book's part lies on")
  private static let pseudonyms = CommandOption.value(
    "--pseudonym-key", "F",
    "add pseudonyms of people's names under the key in this file (64 hexadecimal digits)")

  static let help = Help(
    "ship", "Send the events of the book to a fleet.", in: .fleet,
    details: [
      "A fleet is a PostgreSQL database with the events of many books: `gatebook fleet init` makes one. "
        + "`ship` continues after the last event that the fleet has. It is safe to repeat it, to end it anywhere, and to "
        + "run it twice at once. It writes nothing to the book, which may be read-only.",
      "Personal facts stay encrypted: the fleet has no key of the book. With the book's key at hand, "
        + "signed checkpoints are sent too; without it the fleet cannot prove that a head is the book's.",
      "With --without-personal the encrypted facts are not sent at all. The fleet then cannot recompute "
        + "the hashes of such events, and `fleet pull` refuses the book.",
      "With --pseudonym-key a keyed hash of each user name, user id and typed name is sent: who has the key "
        + "can ask the fleet for all sessions of a person. All machines of a fleet use the same key. "
        + "Pseudonyms of an account are deleted when it is erased.",
      "If the fleet needs events that are in an archive of the book, `ship` sends the archive first. It finds "
        + "the archive with the book's key, at the place where it was made.",
      "If the fleet is out of reach or full, `ship` waits and tries again for as long as `--wait` says; "
        + "with --every or --follow it tries until it is ended.",
      FleetArguments.passwords,
    ],
    options: [FleetArguments.target, every, follow, withoutPersonal, machine, direct, pseudonyms]
      + FleetArguments.trust + [Answers.standardInputOption],
    exitNotes: [
      (.done, "also: a signal ended --every or --follow"),
      (.loginNeeded, "the fleet refused the role"),
      (.serverTrouble, "the fleet is out of reach or full"),
      (.damaged, "the events of the book do not fit those of the fleet, or an archive is missing"),
      (.cannotOpen, "also: the database is no fleet, or one of a newer version"),
      (.untrusted, "the certificate of the fleet's server is not trusted"),
    ],
    examples: [
      "gatebook ship --to postgresql://laptop17@fleet.example.com/sessions",
      "gatebook ship --to postgresql://laptop17@fleet.example.com/sessions --follow",
    ], isAudit: true)

  func run(_ call: Call) async throws -> ExitCode {
    let interval = try Self.interval(call)
    let access = try FleetArguments.access(call, FleetArguments.target)
    let sendsPersonal = !call.arguments.has(Self.withoutPersonal)
    guard sendsPersonal || call.arguments[Self.machine] == nil else {
      throw UsageError(
        "`--name` and `--without-personal` contradict each other.",
        remedy: "Leave out one of them: --without-personal does not send the machine's name.")
    }
    var options = ShipmentOptions(
      machine: call.arguments[Self.machine] ?? ThisProcess.hostName, sendsPersonal: sendsPersonal,
      isDirect: call.arguments.has(Self.direct))
    if let path = call.arguments[Self.pseudonyms] {
      options.pseudonymKey = try PseudonymKey(try SecretFile.read(path, Self.pseudonyms))
    }
    // Opened once for the messages about its key, and again by the shipment's own thread.
    let reader =
      options.pseudonymKey == nil
      ? try call.reader()
      : try call.keyedReader(
        "Pseudonyms are made of names that only the book's key decrypts.",
        kept: "Nothing was sent.",
        remedy: "Leave out `--key none` or `--pseudonym-key`.")
    // Only so that a wrong name is said: all accounts are in one history.
    _ = try call.namedAccount(reader)
    let shipment = BookShipment(
      of: call.globals.book, key: reader.hasKey ? try call.keySource(mayAsk: true) : nil,
      to: access, options: options, clock: call.surroundings.clock)
    let rendering = ShipmentRendering(call)
    let isSeries = call.arguments.has(Self.follow) || interval != nil
    if isSeries { rendering.announce(interval, access) }
    do {
      guard isSeries else {
        return rendering.finish(
          try await shipment.ship(patience: call.globals.wait, news: rendering.news))
      }
      try await shipment.keepShipping(every: interval, news: rendering.news)
      return rendering.finish()
    } catch {
      if isSeries, error.code == .cancelled { return rendering.finish() }
      throw error.code == .fleetGap ? Self.naming(error, reader, call) : error
    }
  }

  @MainActor private static func interval(_ call: Call) throws -> Duration? {
    let interval = try call.arguments.interval(every)
    guard interval == nil || !call.arguments.has(follow) else {
      throw UsageError(
        "`--every` and `--follow` contradict each other.", remedy: "Leave out one of them.")
    }
    return interval
  }

  /// Names the archive that holds the missing events, and the command that ships it.
  @MainActor private static func naming(
    _ error: GatebookError, _ reader: BookReader, _ call: Call
  ) -> GatebookError {
    guard let position = error.position,
      let place = PastRendering.pathOfArchive(with: position, reader)
    else {
      guard !reader.hasKey else { return error }
      return error.with(
        \.remedy,
        "Give the book's key, which tells where the archive is. Or ship the archive, then the book."
      )
    }
    let options = ([FleetArguments.target] + FleetArguments.trust + [withoutPersonal]).flatMap {
      call.arguments.has($0) && $0.placeholder == nil ? [$0.name] : $0.words(call.arguments[$0])
    }
    let command = (["gatebook", "ship", "--book", place] + options).map { ShellText.word($0) }
    let line = command.joined(separator: " ")
    return error.with(
      \.remedy,
      "The archive is not at hand: there is no archive of this book at \(place). Put it back, then run "
        + "the command again. Or ship it from where it is now, then the book: `\(line)`")
  }
}
