internal import Gatebook
internal import GatebookSystem

/// The PostgreSQL servers of `gatebook fleet demo`: the script `tools/fleet` starts them, and
/// removes them with all their files.
///
/// The script says what it prints and which commands it reads. It ends with its input, so that it
/// cleans up also after this process was killed.
@MainActor final class FleetDemoServers {
  /// What the script is called in a package.
  private static let name = "fleet-servers"
  /// The exit by which the script says that PostgreSQL is not installed.
  private static let notInstalled: Int32 = 3
  /// How much room in memory is enough for three servers, in bytes.
  private static let room: UInt64 = 1 << 30

  private let program: LineProgram
  /// The URLs of the servers, for their administrator.
  let urls: [String]
  /// The file with the password of all roles.
  let passfile: String
  /// The folder of PostgreSQL's programs.
  let programs: String

  /// Starts three servers, and waits until they accept connections.
  ///
  /// - Parameters:
  ///   - surroundings: They say where files and programs are.
  ///   - paths: Where the script may be.
  /// - Throws: `configuration.invalid` where the script or PostgreSQL is missing, and if servers
  ///   do not start.
  init(
    in surroundings: Surroundings, _ paths: [String] = FleetDemoServers.paths
  ) throws(GatebookError) {
    guard let path = paths.first(where: { Files.isExecutable($0) }) else {
      throw GatebookError(
        .configurationInvalid, "The demo needs the script \(Self.name), and it is not installed.",
        kept: "Nothing was started.",
        remedy:
          "Install the package of gatebook again, or run the demo from a checkout. The script was "
          + "looked for at \(paths.joined(separator: " and ")).")
    }
    let environment = [
      "PATH=\(surroundings["PATH"] ?? "/usr/bin:/bin"):/usr/sbin:/sbin",
      "TMPDIR=\(Self.parent(surroundings))", "LC_ALL=C",
    ]
    let words = ["--servers", "3"]
    guard let program = LineProgram(path, words, environment: environment, isApart: true) else {
      throw Self.failed(path, [])
    }
    var servers: [Facts] = []
    var messages: [String] = []
    while let line = program.line(), line != "ready" {
      if let server = JSONDocument.read(Array(line.utf8))?.object {
        servers.append(server)
      } else {
        messages.append(line)
      }
    }
    urls = servers.compactMap { $0["url"]?.text }
    passfile = servers.first?["passfile"]?.text ?? ""
    programs = servers.first?["programs"]?.text ?? ""
    self.program = program
    guard urls.count == 3, !passfile.isEmpty, !programs.isEmpty else {
      let end = program.end()
      throw end?.exit == Self.notInstalled
        ? Self.missing : Self.failed(path, messages + (end?.lines ?? []))
    }
  }

  /// The folder that the script removes at its end.
  var folder: String { passfile.split(separator: "/").dropLast().map { "/\($0)" }.joined() }

  /// Stops one of the servers.
  ///
  /// - Parameter number: Which one, from 0 on.
  /// - Throws: `configuration.invalid` if it does not end.
  func stop(_ number: Int) throws(GatebookError) { try tell("stop", number) }

  /// Starts a stopped server on the same port, and waits until it accepts connections.
  ///
  /// - Parameter number: Which one, from 0 on.
  /// - Throws: `configuration.invalid` if it does not start.
  func start(_ number: Int) throws(GatebookError) { try tell("start", number) }

  /// Ends all servers, and removes all their files; nothing happens the second time.
  ///
  /// - Throws: `configuration.invalid` if something remains.
  func end() throws(GatebookError) {
    guard let end = program.end(), end.exit != 0 else { return }
    throw GatebookError(
      .configurationInvalid, "The servers of the demo could not be removed.",
      kept: "What remains is in \(folder).", remedy: "End its processes, then remove that folder.",
      cause: end.lines.last)
  }

  private func tell(_ word: String, _ number: Int) throws(GatebookError) {
    let answer = program.answer(to: "\(word) \(number + 1)")
    guard answer != "done" else { return }
    throw GatebookError(
      .configurationInvalid, "A server of the demo does not \(word).",
      remedy: "Run the demo again.", cause: answer)
  }

  // MARK: Places

  /// Where the script may be: in the checkout that this program was built in, or where packages put
  /// what is not for people.
  static var paths: [String] {
    (InstalledProgram.checkout.map { ["\($0)/tools/fleet"] } ?? []) + InstalledProgram.paths(name)
  }

  /// Where the servers' folders are: a thousand small files are made much faster in memory.
  private static func parent(_ surroundings: Surroundings) -> String {
    if let wanted = surroundings["TMPDIR"] { return wanted }
    let memory = "/dev/shm"
    let hasRoom = Files.isWritable(memory) && Files.freeSpace(at: memory) ?? 0 > room
    return hasRoom ? memory : "/tmp"
  }

  // MARK: Errors

  private static var missing: GatebookError {
    let fromCheckout = InstalledProgram.checkout.map {
      " `\($0)/tools/install build fleet` installs the server without that cluster."
    }
    return GatebookError(
      .configurationInvalid,
      "The demo starts PostgreSQL servers, and PostgreSQL 15 or newer is not installed.",
      kept: "Nothing was started.",
      remedy:
        "Install it: `sudo apt-get install postgresql`. Debian's package also makes a database "
        + "cluster of its own, and starts it now and at each boot; the demo does not use it."
        + (fromCheckout ?? ""))
  }

  private static func failed(_ path: String, _ messages: [String]) -> GatebookError {
    GatebookError(
      .configurationInvalid, "The PostgreSQL servers of the demo could not be started.",
      kept: "Nothing remains of them.", remedy: "To see why, run `\(path) < /dev/null`.",
      cause: messages.last)
  }
}
