internal import Gatebook
internal import GatebookSystem

/// The steps of the demonstration of a fleet.
@MainActor struct FleetDemoStory {
  private let stage: DemoStage
  private let servers: FleetDemoServers
  private let shell: DemoShell
  private let machines: FleetDemoMachines

  /// Tells all of them.
  ///
  /// - Parameters:
  ///   - stage: Shows them.
  ///   - surroundings: They say where files and programs are.
  /// - Throws: `configuration.invalid` where servers are missing or do not start;
  ///   `CancellationError` after Ctrl-C. All servers have ended then, and their files are gone.
  static func tell(on stage: DemoStage, in surroundings: Surroundings) throws {
    let logins = try DemoServers()
    defer { logins.stop() }
    try stage.begin(
      "Three PostgreSQL servers start on this machine: a coordinator and two shards.")
    let servers = try FleetDemoServers(in: surroundings)
    do {
      try FleetDemoStory(stage, servers, logins).tell()
    } catch {
      // What could not be removed matters more.
      try servers.end()
      // Ctrl-C at the terminal ends the servers of the logins too, and then a step fails.
      try Task.checkCancellation()
      throw error
    }
    try servers.end()
  }

  private init(
    _ stage: DemoStage, _ servers: FleetDemoServers, _ logins: DemoServers
  ) throws(GatebookError) {
    self.stage = stage
    self.servers = servers
    let urls = servers.urls
    shell = try DemoShell(
      in: servers.folder + "/machines", programs: [servers.programs],
      variables: [
        "COORDINATOR": urls[0], "SHARD1": urls[1], "SHARD2": urls[2],
        "PGPASSFILE": servers.passfile,
        "FLEET": urls[0].replacing("gatebook_admin", with: "sender"),
        "GATEBOOK_FLEET": urls[0].replacing("gatebook_admin", with: "auditor"),
        "ISSUER": try logins.text("issuer"), "PORTAL": try logins.text("portal"),
        "OLD_PORTAL": try logins.text("oldPortal"), "COMPANY": "\(logins.company)",
      ])
    machines = FleetDemoMachines(stage: stage, shell: shell, logins: logins)
  }

  private func tell() throws {
    stage.show(variables("COORDINATOR", "SHARD1", "SHARD2"))
    try stage.step(
      "They become a fleet. The books will be on the shards.",
      "gatebook fleet init $COORDINATOR --shards $SHARD1,$SHARD2", in: shell)
    try makeRoles()
    try machines.work()
    try ship()
    try ask()
    try change()
    try stopShard()
    try pull()
  }

  private func variables(_ names: String...) -> [String] {
    names.map { "\($0)=\(shell.variables[$0] ?? "")" }
  }

  // MARK: Filling

  private static let roles = """
    \\set password `cut -d : -f 5 "$PGPASSFILE" | head -n 1`
    CREATE ROLE sender LOGIN PASSWORD :'password' IN ROLE gatebook_shipper;
    CREATE ROLE auditor LOGIN PASSWORD :'password' IN ROLE gatebook_auditor;

    """

  private func makeRoles() throws {
    try stage.begin("Machines get a role that can only send, auditors one that can only read.")
    try TextFile.write(Array(Self.roles.utf8), to: "\(shell.folder)/roles.sql")
    try stage.run("cat roles.sql", in: shell)
    try stage.run("psql $COORDINATOR --quiet --file roles.sql", in: shell)
    stage.show(variables("FLEET", "GATEBOOK_FLEET"))
  }

  private func ship() throws {
    try stage.begin(
      "Each machine ships its book. No key leaves it; personal data is encrypted.")
    for machine in FleetDemoMachines.names { try ship(machine) }
  }

  private func ship(
    _ machine: String, _ option: String = "", expecting expected: ExitCode = .done
  ) throws {
    try stage.run(
      "gatebook ship --book \(machine).gatebook --name \(machine) --to $FLEET\(option)",
      in: shell, expecting: expected)
  }

  // MARK: Asking

  private func ask() throws {
    try stage.step("Which machines are there?", "gatebook fleet books", in: shell)
    try stage.step("Who was logged in where?", "gatebook fleet sessions", in: shell)
    try stage.step(
      "Which logins failed, on any machine?", "gatebook fleet log --kind login.failed", in: shell)
    try stage.step(
      "What needs a person's attention?", "gatebook fleet findings --severity warning --quiet",
      in: shell)
    try stage.step(
      "Why was Ada logged out? Her laptop is not needed for the answer.",
      "gatebook fleet why --book laptop-ada", in: shell)
  }

  // MARK: Proving

  private func change() throws {
    let place = try machines.place(of: "kiosk")
    let position = try machines.firstFailure(in: place)
    let update = { (old: String, new: String) in
      """
      psql $\(place.shard.uppercased()) -c "UPDATE gatebook.event
        SET data = replace(data, '\(old)', '\(new)')
        WHERE book = '\(place.book)' AND position = \(position)"
      """
    }
    let (right, wrong) = ("credentials.refused", "network.unreachable")
    try stage.begin("Somebody with the database's password changes an event. Who notices?")
    try stage.run(update(right, wrong), in: shell)
    try stage.run("gatebook fleet verify", in: shell, expecting: .damaged)
    try stage.begin("The row is put back, and all histories agree again.")
    try stage.run(update(wrong, right), in: shell)
    try stage.run("gatebook fleet verify", in: shell)
  }

  private func stopShard() throws {
    let shard = try machines.place(of: "laptop-ada").shard
    let number = shard == "shard1" ? 1 : 2
    try stage.begin(
      "The server \(shard) stops while Ada logs in again. Only its books wait.")
    try servers.stop(number)
    try machines.logInAgain()
    try ship("laptop-ada", " \\\n    --wait 0", expecting: .serverTrouble)
    try ship("laptop-ben")
    try stage.begin("The server \(shard) starts again, and the missing events arrive.")
    try servers.start(number)
    try ship("laptop-ada")
  }

  private func pull() throws {
    try stage.begin("A book is copied back into a file, and verified there.")
    try stage.run("gatebook fleet pull laptop-ada -o copy.gatebook --quiet", in: shell)
    try stage.run("gatebook verify --book copy.gatebook --quiet", in: shell)
  }
}
