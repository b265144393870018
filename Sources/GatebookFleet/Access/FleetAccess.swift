public import Gatebook
internal import GatebookSystem

/// How to reach a fleet: its address, what is trusted, and who knows the password.
public struct FleetAccess: Sendable {
  /// Where it is.
  public let address: FleetAddress
  /// Which servers are trusted.
  public let trust: FleetTrust
  /// Asks for the password if the server wants one and no file has it; `nil` for nobody to ask.
  let askPassword: (@Sendable () throws(GatebookError) -> Secret)?
  private let asked = Locked<Secret?>(nil)

  /// Makes an access.
  ///
  /// - Parameters:
  ///   - address: Where the fleet is.
  ///   - trust: Which servers are trusted.
  ///   - askPassword: Called at most once, when the server asks for a password that libpq finds in
  ///     no file.
  public init(
    _ address: FleetAddress, trust: FleetTrust = FleetTrust(),
    askPassword: (@Sendable () throws(GatebookError) -> Secret)? = nil
  ) {
    self.address = address
    self.trust = trust
    self.askPassword = askPassword
  }

  /// The access to another server of the same fleet, by the same role.
  func moved(to place: String) throws(GatebookError) -> FleetAccess {
    FleetAccess(try address.moved(to: place), trust: trust, askPassword: askPassword)
  }

  /// How long a connection may take.
  private static let limit = Duration.seconds(10)

  /// Connects.
  ///
  /// - Throws: A `fleet` failure; `cancelled`.
  func connect() throws(GatebookError) -> PostgresConnection {
    // libpq would take it from there, and programs can read each other's environment.
    guard ThisProcess.environment("PGPASSWORD") == nil else {
      throw GatebookError(
        .configurationInvalid, "PGPASSWORD is set, and Gatebook does not use it.",
        kept: "Nothing was sent.",
        remedy: "Unset it, and write the password into ~/.pgpass or the file of PGPASSFILE.")
    }
    let library = try PostgresLibrary.open()
    do throws(PostgresFailure) {
      return try connect(library)
    } catch {
      throw GatebookError(error, at: address)
    }
  }

  private func connect(
    _ library: PostgresLibrary
  ) throws(PostgresFailure) -> PostgresConnection {
    var parameters = address.parameters
    for (name, value) in Self.settings { parameters[name] = value }
    parameters.merge(trust.parameters(isLocal: try isLocal(parameters, library))) { $1 }
    if let password = asked.withLock({ $0 }) { parameters["password"] = Self.text(password) }
    do throws(PostgresFailure) {
      return try PostgresConnection.open(parameters, library, limit: Self.limit)
    } catch {
      guard error.needsPassword, parameters["password"] == nil, let askPassword,
        let password = try? askPassword()
      else { throw error }
      asked.withLock { $0 = password }
      parameters["password"] = Self.text(password)
      return try PostgresConnection.open(parameters, library, limit: Self.limit)
    }
  }

  /// Whether all servers that libpq would try are on this machine.
  ///
  /// libpq itself says which ones: the environment and a service file can name them too.
  private func isLocal(
    _ parameters: [String: String], _ library: PostgresLibrary
  ) throws(PostgresFailure) -> Bool {
    var careful = parameters
    careful.merge(["sslmode": "verify-full", "sslrootcert": "/nonexistent"]) { $1 }
    let started = try PostgresConnection.start(careful, library)
    let hosts = started.parameter("host") ?? ""
    let addresses = started.parameter("hostaddr") ?? ""
    return (addresses.isEmpty ? hosts : addresses).split(separator: ",").allSatisfy { host in
      host.hasPrefix("/") || host == "localhost" || IPAddress(host)?.isLoopback == true
    }
  }

  private static func text(_ password: Secret) -> String {
    password.withBytes { String(decoding: $0, as: UTF8.self) }
  }

  /// A connection whose other side has vanished is noticed within half a minute.
  private static let settings = [
    "application_name": "gatebook", "client_encoding": "UTF8", "gssencmode": "disable",
    "keepalives": "1", "keepalives_idle": "10", "keepalives_interval": "5",
    "keepalives_count": "3", "tcp_user_timeout": "30000",
  ]
}
