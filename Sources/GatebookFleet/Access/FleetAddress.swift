internal import CPostgreSQL
public import Gatebook
internal import GatebookEvents
internal import GatebookSystem

/// Where a fleet is: a database of a PostgreSQL server, as a URL without secrets.
///
/// ```swift
/// let address = try FleetAddress("postgresql://laptop17@fleet.example.com/sessions")
/// ```
///
/// libpq finds the password: in `~/.pgpass` or the file of `PGPASSFILE`, or in a service file
/// (`postgresql:///?service=fleet`). Source: PostgreSQL 15, "Connection URIs" (34.1.1.2).
public struct FleetAddress: Hashable, Sendable, CustomStringConvertible {
  /// What the URL says, by libpq's names: `host`, `port`, `dbname`, `user`, `service` and others.
  private(set) var parameters: [String: String]

  /// The parameters that a URL may have: the others decide about trust or hold secrets.
  private static let allowed: Set = [
    "host", "port", "dbname", "user", "service", "passfile", "sslcert", "sslkey",
  ]

  /// Reads a URL.
  ///
  /// - Parameter url: `postgresql://USER@HOST[:PORT]/DATABASE`, or with `?service=NAME`.
  /// - Throws: `configuration.invalid` for what is no such URL, and for a URL with a password; no
  ///   text of the error contains the URL. `configuration.invalid` too if libpq is not installed.
  public init(_ url: String) throws(GatebookError) {
    guard url.hasPrefix("postgresql://") || url.hasPrefix("postgres://") else {
      throw Self.invalid("It must begin with `postgresql://`.")
    }
    let functions = try PostgresLibrary.open().functions
    guard let options = functions.PQconninfoParse(url, nil) else {
      // libpq's own words would repeat a part of the URL, which may be a password.
      throw Self.invalid("Its parts must be `postgresql://USER@HOST:PORT/DATABASE`.")
    }
    defer { functions.PQconninfoFree(options) }
    var parameters: [String: String] = [:]
    var place = options
    while let keyword = place.pointee.keyword {
      defer { place += 1 }
      let name = String(cString: keyword)
      guard let value = place.pointee.val.map({ String(cString: $0) }), !value.isEmpty else {
        continue
      }
      guard name != "password", name != "sslpassword" else {
        throw GatebookError(
          .configurationInvalid, "The URL of the fleet contains a password.",
          kept: "Nothing was sent.",
          remedy:
            "Remove it from the URL, because other processes can read it there. Write it into "
            + "~/.pgpass or the file that PGPASSFILE names."
        ).with(\.setting, "url")
      }
      guard Self.allowed.contains(name) else {
        throw Self.invalid("It must not set `\(name)`: Gatebook decides that.")
      }
      parameters[name] = value
    }
    self.parameters = parameters
  }

  private static func invalid(_ why: String) -> GatebookError {
    GatebookError(
      .configurationInvalid, "The URL of the fleet cannot be used.", kept: "Nothing was sent.",
      remedy: why
    ).with(\.setting, "url")
  }

  /// The role; `nil` where the URL names none.
  public var user: String? { parameters["user"] }

  /// The same role's place on another server.
  ///
  /// - Parameter place: `HOST:PORT/DATABASE`, as a fleet tells it.
  /// - Returns: The address.
  /// - Throws: `configuration.invalid` for what is no such place.
  func moved(to place: String) throws(GatebookError) -> FleetAddress {
    var address = self
    address.parameters["service"] = nil
    for (name, value) in try FleetAddress("postgresql://\(place)").parameters {
      address.parameters[name] = value
    }
    return address
  }

  /// `HOST:PORT/DATABASE` as a part of a URL: ``moved(to:)`` takes it.
  var place: String {
    let database = parameters["dbname"].map { "/" + Self.encoded($0) } ?? ""
    var server = self
    server.parameters["dbname"] = nil
    return server.description + database
  }

  /// A text as a part of a URL (RFC 3986 section 2.1).
  private static func encoded(_ text: String) -> String {
    text.utf8.map { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
        String(UnicodeScalar(byte))
      default: "%" + Hex.encode([byte])
      }
    }.joined()
  }

  /// Whether the URL names a host of this machine.
  var isLocal: Bool {
    guard let host = parameters["host"] else { return false }
    return host.hasPrefix("/") || host == "localhost" || IPAddress(host)?.isLoopback == true
  }

  /// The place without secrets: `HOST:PORT/DATABASE`, or the name of the service.
  public var description: String {
    guard let host = parameters["host"] else {
      return parameters["service"].map { "service \($0)" } ?? "the local PostgreSQL server"
    }
    let name = host.contains(":") ? "[\(host)]" : host
    return name + (parameters["port"].map { ":\($0)" } ?? "")
      + (parameters["dbname"].map { "/\($0)" } ?? "")
  }
}
