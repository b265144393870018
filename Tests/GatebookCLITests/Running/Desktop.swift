internal import Glibc
internal import Testing

@testable internal import GatebookCLI

/// A desktop session without a desktop: a message bus and a keyring of its own, which know no other
/// home than a throw-away one.
final class Desktop {
  /// How the keyring is at the beginning.
  enum Keyring: String, CaseIterable {
    /// There is none on the bus.
    case absent
    /// There is one, and it has no collection yet.
    case empty
    /// There is one, and nobody has unlocked it.
    case locked
    /// There is one that is open.
    case open
  }

  private let folder: String
  private var bus: Daemon
  private var keyring: Daemon?

  /// Starts the bus and, if it is wanted, the keyring.
  init(_ scene: Scene, _ state: Keyring = .open) throws {
    folder = "\(scene.folder)/desktop"
    try #require(mkdir(folder, 0o700) == 0)
    // No <servicedir>: the bus starts no services, least of all with the user's own home folder.
    try TextFile.write(
      Array(
        """
        <busconfig><type>session</type><listen>unix:path=\(folder)/bus</listen>
        <auth>EXTERNAL</auth><policy context="default"><allow send_destination="*"/>
        <allow receive_sender="*"/><allow own="*"/></policy></busconfig>
        """.utf8), to: "\(folder)/bus.conf")
    bus = try Daemon(
      ["dbus-daemon", "--config-file=\(folder)/bus.conf", "--nofork", "--print-address=1"],
      Self.own(folder))
    // It says its address when it listens.
    _ = bus.firstLine()
    switch state {
    case .absent: break
    case .empty:
      keyring = try Daemon(
        ["gnome-keyring-daemon", "--foreground", "--components=secrets"], surroundings)
      try wait(for: "keyring") {
        try ask("org.freedesktop.Secret.Service.ReadAlias", "default").contains("'/'")
      }
    case .open: try start()
    case .locked:
      // A keyring has to be made before it can be locked.
      try start()
      try lock()
    }
  }

  deinit {
    keyring?.stop()
    bus.stop()
  }

  /// What a program of this session finds in its environment.
  var environment: [String: String] {
    ["DBUS_SESSION_BUS_ADDRESS": "unix:path=\(folder)/bus", "XDG_RUNTIME_DIR": folder]
  }

  private static func own(_ folder: String) -> [String: String] {
    ["HOME": folder, "XDG_RUNTIME_DIR": folder, "PATH": "/usr/bin:/bin"]
  }

  private var surroundings: [String: String] {
    Self.own(folder).merging(environment) { $1 }
  }

  /// Starts the keyring, unlocked.
  func start() throws {
    keyring = try Daemon(
      ["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"], surroundings,
      input: "test")
    try wait(for: "open keyring") {
      try ask("org.freedesktop.Secret.Service.ReadAlias", "default").contains("/collection/")
    }
  }

  /// Ends the keyring; the bus keeps running.
  func stop() {
    keyring?.stop()
    keyring = nil
  }

  /// Ends the bus; what is connected loses it.
  func stopBus() {
    bus.stop()
  }

  /// Lets the keyring answer nobody, until it is thawed.
  func freeze() throws {
    let id = try #require(keyring?.id)
    kill(id, SIGSTOP)
    var status = siginfo_t()
    try #require(waitid(P_PID, id_t(id), &status, WSTOPPED | WNOWAIT) == 0)
  }

  /// Lets the keyring answer again.
  func thaw() {
    keyring.map { _ = kill($0.id, SIGCONT) }
  }

  /// Locks the collection where keys are.
  func lock() throws {
    let answer = try ask(
      "org.freedesktop.Secret.Service.Lock", "['/org/freedesktop/secrets/collection/login']")
    try #require(answer.contains("/collection/login"), "\(answer)")
  }

  /// The labels of what Gatebook keeps there, one a line of `label = ...`.
  func items() throws -> String {
    let ending = try Daemon(
      ["secret-tool", "search", "--all", "application", "gatebook"], surroundings
    ).end()
    return ending.output
  }

  /// What is kept there as the key of a book.
  func secret(of book: String) throws -> String {
    try Daemon(
      ["secret-tool", "lookup", "application", "gatebook", "book", book], surroundings
    ).end().output
  }

  /// Removes what Gatebook keeps there.
  func clear() throws {
    _ = try Daemon(["secret-tool", "clear", "application", "gatebook"], surroundings).end()
  }

  /// Puts a text where the key of a book is, as another program would.
  func put(_ text: String, for book: String) throws {
    try clear()
    let ending = try Daemon(
      ["secret-tool", "store", "--label=x", "application", "gatebook", "book", book],
      surroundings, input: text
    ).end()
    try #require(ending.exit == 0)
  }

  /// How many programs are connected to the bus, this one's question among them.
  func connections() throws -> Int {
    let names = try call(
      "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus.ListNames")
    return names.ranges(of: "':").count
  }

  private func ask(_ method: String, _ argument: String) throws -> String {
    try call("org.freedesktop.secrets", "/org/freedesktop/secrets", method, argument)
  }

  private func call(
    _ name: String, _ path: String, _ method: String, _ arguments: String...
  ) throws -> String {
    try Daemon(
      [
        "gdbus", "call", "--session", "--dest", name, "--object-path", path, "--method", method,
      ] + arguments, surroundings
    ).end().output
  }
}
