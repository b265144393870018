internal import Gatebook

/// Says what the integers among facts count; programs read the integers themselves.
enum FactUnits: Sendable {
  /// Facts of Gatebook's own events: the names are those of the event format.
  case own(TimeText)
  /// What a server tells about its user: the names are the server's.
  case servers(TimeText)

  /// Durations in microseconds.
  private static let durations: Set<String> = [
    "demandedWait", "interval", "jump", "lifetime", "offlineLimit", "offset", "retryAfter",
  ]
  /// Microseconds since 1970.
  private static let moments: Set<String> = [
    "deadline", "discovered", "expires", "sent", "since",
  ]
  /// Milliseconds since 1970: MobileFirst 8.0, `AuthenticatedUser`.
  private static let serversMoments: Set<String> = ["authenticatedAt"]
  /// Other integers of a server's fact by that name are no milliseconds of this age.
  private static let plausible: ClosedRange<Int64> = 1_000_000_000_000...9_999_999_999_999

  /// The fact with its unit; `nil` for one that has none.
  func text(_ name: String, _ value: FactValue) -> String? {
    guard case .integer(let integer) = value else { return nil }
    switch self {
    case .own where Self.durations.contains(name):
      return Duration.microseconds(integer).units
    case .own(let times) where Self.moments.contains(name):
      return times.text(Timestamp(rawValue: integer))
    case .servers(let times)
    where Self.serversMoments.contains(name) && Self.plausible.contains(integer):
      return "\(integer) (\(times.text(Timestamp(rawValue: integer * 1_000))))"
    case .own, .servers: return nil
    }
  }
}

/// Sizes for people.
enum ByteCount {
  private static let units: [(size: Int, name: String)] = [
    (1 << 30, "GiB"), (1 << 20, "MiB"), (1 << 10, "KiB"),
  ]

  /// A size in the unit that fits it, such as `3.4 MiB`.
  ///
  /// - Parameter bytes: The size.
  /// - Returns: A number of at most three digits with its unit.
  static func text(_ bytes: Int) -> String {
    guard let unit = units.first(where: { bytes >= $0.size }) else { return "\(bytes) bytes" }
    // A quotient first: a size that a server claims may be as large as a number can be.
    let (whole, rest) = bytes.quotientAndRemainder(dividingBy: unit.size)
    return whole >= 10
      ? "\(whole) \(unit.name)" : "\(whole).\(rest * 10 / unit.size) \(unit.name)"
  }
}
