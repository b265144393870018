internal import Gatebook
internal import GatebookSystem

/// The six machines of the demonstration of a fleet: a book each, with events of real logins.
@MainActor struct FleetDemoMachines {
  /// Their names; their books are called after them.
  nonisolated static let names = [
    "laptop-ada", "laptop-ben", "laptop-cleo", "build-server", "reception", "kiosk",
  ]

  let stage: DemoStage
  let shell: DemoShell
  let logins: DemoServers

  /// Logs in and out, until every machine has its book.
  func work() throws {
    try write(try logins.text("password"), for: "ada")
    try write(try logins.text("portalPassword"), for: "ben")
    try write(try logins.text("oldPortalPassword"), for: "cleo")
    try write("not Ben's password", for: "somebody")
    try laptop()
    try others()
  }

  private func write(_ password: String, for user: String) throws(GatebookError) {
    try TextFile.write(Array("\(password)\n".utf8), to: "\(shell.folder)/\(user).password")
  }

  // MARK: Ada's laptop

  private func laptop() throws {
    try stage.begin("Ada logs in on her laptop. When her token is refused, it is refreshed.")
    stage.show(["ISSUER=\(try logins.text("issuer"))"])
    let logIn = """
      gatebook login oidc --issuer $ISSUER --client-id app --user ada --label ada \\
        --flow password --password-stdin --quiet \\
        --book laptop-ada.gatebook < ada.password
      """
    try stage.run(logIn, in: shell)
    try logins.endTokens()
    let request = "gatebook request /notes --book laptop-ada.gatebook"
    try stage.run(request, in: shell)
    try logins.endSessions()
    try stage.step(
      "Somebody ends her session at the server. The next request finds that out.", request,
      in: shell, expecting: .loginNeeded)
  }

  /// Lets Ada log in again, after her session was ended.
  func logInAgain() throws {
    let logIn = """
      gatebook login ada --password-stdin --quiet \\
        --book laptop-ada.gatebook < ada.password
      """
    try stage.run(logIn, in: shell)
  }

  // MARK: The other machines

  private func others() throws {
    try stage.begin("Five more machines log in, each with a book and a key of its own.")
    let portal = "liferay --server $PORTAL --mode cookie --user \(try logins.text("portalUser"))"
    let oldPortal =
      "liferay --server $OLD_PORTAL --portal-version 6.2 --mode basic --by screen-name"
      + " --user \(try logins.text("oldPortalUser"))"
    try logInBen(by: portal)
    stage.show(["laptop-ben     Ben logs in to a Liferay portal."])
    try logIn("laptop-cleo", oldPortal, "cleo")
    stage.show(["laptop-cleo    Cleo logs in to an older portal."])
    try logIn(
      "build-server", "oidc --issuer $ISSUER --client-id app --user ada --flow password", "ada")
    stage.show(["build-server   A job logs in as Ada."])
    try logIn("reception", oldPortal, "cleo")
    try stage.prepare("gatebook logout --book reception.gatebook", in: shell)
    stage.show(["reception      Cleo logs in, and out again."])
    for _ in 0..<5 { try logIn("kiosk", portal, "somebody", expecting: .loginNeeded) }
    stage.show(["kiosk          Somebody tries five wrong passwords for Ben."])
  }

  private func logIn(
    _ machine: String, _ method: String, _ user: String, expecting expected: ExitCode = .done
  ) throws {
    let company = method.hasPrefix("liferay") ? " --company-id $COMPANY" : ""
    try stage.prepare(
      "gatebook login \(method)\(company) --password-stdin --book \(machine).gatebook"
        + " < \(user).password", in: shell, expecting: expected)
  }

  /// Ben's book is made until it is on another shard than Ada's: the story stops one of the shards.
  private func logInBen(by method: String) throws {
    let shard = try place(of: "laptop-ada").shard
    for _ in 0..<64 {
      try logIn("laptop-ben", method, "ben")
      guard try place(of: "laptop-ben").shard == shard else { return }
      for name in Files.names(in: shell.folder) where name.hasPrefix("laptop-ben.") {
        Files.remove("\(shell.folder)/\(name)")
      }
    }
    stage.fail("All books were made for one shard.")
  }

  // MARK: In the fleet

  /// Where the fleet has a machine's book, or will have it.
  func place(of machine: String) throws -> (book: String, shard: String) {
    let book = try BookReader.open(at: "\(shell.folder)/\(machine).gatebook").id.description
    let question =
      "SELECT server FROM gatebook.part WHERE number = gatebook.part_of('\(book)')"
    return (book, try stage.prepare("psql $COORDINATOR -Atc \"\(question)\"", in: shell) ?? "")
  }

  /// The position of the first login that failed.
  func firstFailure(in place: (book: String, shard: String)) throws -> String {
    let question =
      "SELECT min(position) FROM gatebook.event"
      + " WHERE book = '\(place.book)' AND kind = 'login.failed'"
    return try stage.prepare(
      "psql $\(place.shard.uppercased()) -Atc \"\(question)\"", in: shell) ?? ""
  }
}
