internal import Gatebook
internal import GatebookSystem

/// What the process is surrounded by, read once and handed on as a value.
struct Surroundings: Sendable {
  /// The variables of the environment that Gatebook looks at.
  private static let names =
    AgentCall.mustBeShared + [
      "BROWSER", "DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "GATEBOOK_ACCOUNT", AgentPlace.variable,
      "GATEBOOK_BOOK", "GATEBOOK_FLEET",
      "GATEBOOK_KEY", "GATEBOOK_PAGER", "GATEBOOK_PASSPHRASE_FILE", "HOME", "KUBERNETES_EXEC_INFO",
      "NO_COLOR", "PAGER", "PATH", "SSH_ASKPASS", "TERM", "TMPDIR", "WAYLAND_DISPLAY",
      "XDG_CONFIG_HOME",
      "XDG_DATA_HOME", "XDG_RUNTIME_DIR",
    ]

  /// The variables that are set; the subscript takes an empty one for absent.
  var environment: [String: String]
  /// Whether standard output is a terminal.
  var isOutputTerminal = false
  /// How many columns that terminal has; `nil` when it is none or does not say.
  var outputColumns: Int?
  /// How many lines that terminal has; `nil` when it is none or does not say.
  var outputRows: Int?
  /// Whether standard error is a terminal.
  var isErrorTerminal = false
  /// How many columns that terminal has; `nil` when it is none or does not say.
  var errorColumns: Int?
  /// How to see what time it is.
  let clock: any BookClock
  /// The time zone of the reader.
  let zone: TimeZoneRule

  /// The surroundings of this process.
  static func ofProcess() -> Surroundings {
    var environment: [String: String] = [:]
    for name in names {
      environment[name] = ThisProcess.environment(name)
    }
    return Surroundings(
      environment: environment, isOutputTerminal: FileDescriptor.isTerminal(1),
      outputColumns: Terminal.columns(1), outputRows: Terminal.rows(1),
      isErrorTerminal: FileDescriptor.isTerminal(2), errorColumns: Terminal.columns(2),
      clock: SystemClock(),
      zone: .local)
  }

  /// The pager that the person wants; `nil` for none.
  ///
  /// An empty variable and `cat` turn it off. Without a variable it is `less`, if that is
  /// installed.
  var pager: String? {
    guard isOutputTerminal, let terminal = self["TERM"], terminal != "dumb" else { return nil }
    if let wanted = environment["GATEBOOK_PAGER"] ?? environment["PAGER"] {
      return wanted.isEmpty || wanted == "cat" ? nil : wanted
    }
    let folders = (self["PATH"] ?? "").split(separator: ":")
    return folders.contains { Files.isExecutable("\($0)/less") } ? "less" : nil
  }

  /// A variable of the environment; an empty one counts as absent.
  subscript(name: String) -> String? {
    environment[name].flatMap { $0.isEmpty ? nil : $0 }
  }

  /// `$XDG_DATA_HOME/gatebook/sessions.gatebook`.
  var defaultBook: String? {
    folder("XDG_DATA_HOME", else: ".local/share").map { "\($0)/gatebook/sessions.gatebook" }
  }

  /// `$XDG_CONFIG_HOME/gatebook`.
  var configurationFolder: String? {
    folder("XDG_CONFIG_HOME", else: ".config").map { "\($0)/gatebook" }
  }

  /// The folder for files that end with a run: that of the login session, where it is this user's
  /// alone.
  var runtimeFolder: String {
    if let path = self["XDG_RUNTIME_DIR"], path.hasPrefix("/"), let status = FileStatus(of: path),
      status.isFolder, status.isOwn, !status.isOpenToOthers
    {
      return path
    }
    return self["TMPDIR"].flatMap { $0.hasPrefix("/") && Files.isFolder($0) ? $0 : nil } ?? "/tmp"
  }

  /// `$XDG_CONFIG_HOME/gatebook/keys`.
  var keyFolder: String? { configurationFolder.map { "\($0)/keys" } }

  /// Whether colours are wanted by the environment and standard output can show them.
  var allowsColor: Bool { isOutputTerminal && wantsColor }

  /// Whether colours are wanted by the environment and standard error can show them.
  var allowsErrorColor: Bool { isErrorTerminal && wantsColor }

  private var wantsColor: Bool { self["NO_COLOR"] == nil && self["TERM"] != "dumb" }

  /// Whether this may be a person's session, in which a keyring could be.
  var mayHaveKeyring: Bool {
    self["DBUS_SESSION_BUS_ADDRESS"] != nil || self["XDG_RUNTIME_DIR"] != nil
  }

  /// A folder of the XDG Base Directory Specification.
  ///
  /// "If an implementation encounters a relative path in any of these variables it should consider
  /// the path invalid and ignore it."
  private func folder(_ name: String, else fallback: String) -> String? {
    if let path = self[name], path.hasPrefix("/") { return path }
    return self["HOME"].map { "\($0)/\(fallback)" }
  }
}

/// The identity of this installation: the same for all runs of one user on one machine.
enum Installation {
  /// Reads the identity, or makes it at the first use.
  ///
  /// - Parameter folder: `$XDG_CONFIG_HOME/gatebook`; `nil` when it is not known where that is.
  /// - Returns: 16 random bytes, the same each time; new ones each time where they cannot be kept.
  static func identity(in folder: String?) -> InstallationID {
    let random = SystemRandom()
    guard let folder else { return InstallationID(random: random) }
    Files.makeFolders(folder)
    return (try? InstallationID.kept(at: "\(folder)/installation", random: random))
      ?? InstallationID(random: random)
  }
}
